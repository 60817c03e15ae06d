// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Runs a directory of trees as a service (swift-service-lifecycle): a template, yours to change.
//
// In Package.swift:
//
//   .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
//   .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
//   .target(
//     name: "TreeService",
//     dependencies: [
//       .product(name: "RIBs", package: "swift-ribs"),
//       .product(name: "RIBsStore", package: "swift-ribs"),
//       .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
//       .product(name: "Logging", package: "swift-log"),
//     ]),

public import Logging
import RIBs
public import RIBsStore
public import ServiceLifecycle

/// Runs a directory of trees as a service: its rounds until the shutdown of the program begins, and then its shutdown.
///
/// A service group shuts services down in the reverse order. So the service stands after the services that its trees
/// use, such as database connections, and before those that call trees, such as an HTTP server:
///
/// ```swift
/// let group = ServiceGroup(
///   services: [database, TreeService(directory, timeout: .seconds(8), logger: logger), server],
///   gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
///
/// The server then stops accepting requests first, the trees are saved, end, and are released for other processes, and
/// the database is closed last. The timeout must be shorter than the time that the orchestrator gives the process.
public struct TreeService<ID: Hashable & Sendable & LosslessStringConvertible, Root>: Service {
  private let directory: TreeDirectory<ID, Root>
  private let timeout: Duration
  private let logger: Logger

  /// - Parameters:
  ///   - directory: called by the program as usual. Calls throw `DirectoryEnded` once the shutdown has begun.
  ///   - timeout: how long saves and bound work may take at the end, on the clock of the directory.
  ///   - logger: receives what was not saved or had not ended in time, as warnings.
  public init(_ directory: TreeDirectory<ID, Root>, timeout: Duration, logger: Logger) {
    self.directory = directory
    self.timeout = timeout
    self.logger = logger
  }

  /// Runs the directory until the shutdown of the program begins or the calling task is cancelled, and then shuts the
  /// directory down.
  public func run() async throws {
    await cancelWhenGracefulShutdown { await directory.run() }
    let report = await directory.shutdown(timeout: timeout)
    logger.info("the trees have ended", metadata: ["trees": "\(report.ended)"])
    for id in report.unsaved { logger.warning("a tree was not saved in time", metadata: ["tree": "\(id)"]) }
    for (id, work) in report.unfinished {
      let names = work.busy.map { ["\($0)"] } ?? work.unfinishedTasks.map { "\($0.path): \($0.work)" }.sorted()
      logger.warning(
        "a tree had not ended in time", metadata: ["tree": "\(id)", "work": "\(names.joined(separator: ", "))"])
    }
  }
}
