// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Writes what happens in trees to a log (swift-log): a template, yours to change.
//
// In Package.swift:
//
//   .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
//   .target(
//     name: "TreeLog",
//     dependencies: [
//       .product(name: "RIBs", package: "swift-ribs"),
//       .product(name: "RIBsStore", package: "swift-ribs"),
//       .product(name: "Logging", package: "swift-log"),
//     ]),

public import Logging
public import RIBs
public import RIBsStore

/// Writes what happens in trees to a log.
///
/// Failures, misuse, leaks and restarts are warnings, and failures that no RIB has handled are errors. The life of the
/// RIBs and their work is logged at the level `trace`; if the logger's level is higher, these events are not created.
///
/// ```swift
/// let log = TreeLog(Logger(label: "orders"))
/// var configuration = TreeConfiguration(name: "order-17")
/// log.observe(&configuration)
/// ```
///
/// A line has names that the program's source contains, the name of the tree, the labels of RIBs (`ribLabel`), numbers and
/// times. It has no other value of the program's state: of an error it has the type only, because its description may
/// contain what a user has entered. Of an error of the store it has the description: those of the stores of this package
/// have no secrets.
public struct TreeLog: Sendable {
  private let logger: Logger

  /// The kinds of events that are warnings.
  private static let warnings: Set<TreeEvent.Kind> = [
    .taskFailed, .workflowStepFailed, .failed, .restarted, .restartsExhausted, .misuse, .leaked,
  ]

  /// - Parameter logger: its level when `observe(_:)` is called decides which events are created.
  public init(_ logger: Logger) { self.logger = logger }

  /// Adds the log to the configuration of a tree, or of many trees. The configuration's own handlers are called too.
  ///
  /// Debug builds keep the default handler of misuse, which stops the process on an error.
  public func observe(_ configuration: inout TreeConfiguration) {
    let kinds = logger.logLevel <= .trace ? nil : TreeLog.warnings
    configuration.addEventHandler(of: kinds) { event in log(event) }
    let onFailure = configuration.onFailure
    configuration.onFailure = { failure in
      log(failure)
      onFailure?(failure)
    }
    // In place of the default, which writes the leak to standard error: `onEvent` has logged it.
    configuration.onLeak = configuration.onLeak ?? { _ in }
    #if !DEBUG
      configuration.onMisuse = configuration.onMisuse ?? { _ in }
    #endif
  }

  /// Logs an event of a tree.
  public func log(_ event: TreeEvent) {
    let level: Logger.Level = TreeLog.warnings.contains(event.kind) ? .warning : .trace
    guard level >= logger.logLevel else { return }
    var metadata = metadata(of: event.path)
    if let node = event.node { metadata["node"] = "\(node.rawValue)" }
    if let work = event.work { metadata["work"] = "\(work)" }
    if let worker = event.worker { metadata["worker"] = "\(worker)" }
    if event.isCancelled { metadata["cancelled"] = "true" }
    if let duration = event.duration { metadata["seconds"] = "\(duration / .seconds(1))" }
    if let error = event.failure { metadata["error"] = "\(type(of: error))" }
    if let restarts = event.restarts { metadata["restarts"] = "\(restarts)" }
    if let misuse = event.misuse {
      metadata["misuse"] = "\(misuse.kind)"
      metadata["advice"] = "\(misuse.advice)"
    }
    if let leak = event.leak { metadata["leak"] = "\(leak.type)" }
    logger.log(level: level, "\(event.kind)", metadata: metadata)
  }

  /// Logs a failure that no RIB has handled.
  public func log(_ failure: TreeFailure) {
    var metadata = metadata(of: failure.path)
    if let node = failure.node { metadata["node"] = "\(node.rawValue)" }
    if let work = failure.work { metadata["work"] = "\(work)" }
    metadata["error"] = "\(type(of: failure.error))"
    logger.error("unhandled failure", metadata: metadata)
  }

  /// Logs an event of a directory: pass it to the `onEvent` of a `TreeDirectory`.
  public func log<ID>(_ event: DirectoryEvent<ID>) {
    switch event {
    case .opened(let id): logger.trace("tree opened", metadata: ["tree": "\(id)"])
    case .restored(let id): logger.trace("tree restored", metadata: ["tree": "\(id)"])
    case .woken(let id, let late):
      logger.trace("tree woken", metadata: ["tree": "\(id)", "late": "\(late / .seconds(1))"])
    case .restoredWithout(let id, let paths):
      warn(
        "tree restored without a part of its record", nil,
        ["tree": "\(id)", "paths": "\(paths.joined(separator: ", "))"])
    case .passivated(let id): logger.trace("tree passivated", metadata: ["tree": "\(id)"])
    case .ended(let id, _): logger.trace("tree ended", metadata: ["tree": "\(id)"])
    case .removed(let id): logger.trace("tree removed", metadata: ["tree": "\(id)"])
    case .failed(let id, let error): warn("tree failed", error, ["tree": "\(id)"])
    case .quarantined(let id, let error): warn("tree quarantined", error, ["tree": "\(id)"])
    case .fenced(let id): warn("tree claimed by another owner", nil, ["tree": "\(id)"])
    case .full: warn("directory full")
    case .storeFailed(let error): warn("store failed", error, ["reason": "\(error)"])
    case .storeRecovered: logger.notice("store recovered")
    case .leaseEnded: warn("lease ended")
    case .leaseRevived(let fenced): logger.notice("lease revived", metadata: ["fenced": "\(fenced)"])
    case .leaseLost: warn("lease lost")
    }
  }

  private func warn(_ message: Logger.Message, _ error: (any Error)? = nil, _ metadata: Logger.Metadata = [:]) {
    var metadata = metadata
    if let error { metadata["error"] = "\(type(of: error))" }
    logger.warning(message, metadata: metadata)
  }

  private func metadata(of path: TreePath) -> Logger.Metadata {
    // The path with the labels of RIBs. The name of the tree, with which its description begins, has a key of its own.
    let prefix = path.tree.map { "\($0):" } ?? ""
    var metadata: Logger.Metadata = ["rib": "\(path.description.dropFirst(prefix.count))"]
    if let tree = path.tree { metadata["tree"] = "\(tree)" }
    for (name, value) in path.labels { metadata[name] = "\(value)" }
    return metadata
  }
}
