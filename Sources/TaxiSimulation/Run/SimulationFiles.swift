// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs
package import TaxiOrder

/// The orders of a simulation in a directory.
package struct StoredSimulation: Hashable, Codable, Sendable {
  /// The number of orders.
  package var orders: Int
  /// The seed of all generated data.
  package var seed: UInt64
  package var faultRate: Double
  package var fault: FaultKind?
  /// The number of free taxis near each rider.
  package var fleet: Int

  package init(orders: Int, seed: UInt64, faultRate: Double, fault: FaultKind?, fleet: Int) {
    self.orders = orders
    self.seed = seed
    self.faultRate = faultRate
    self.fault = fault
    self.fleet = fleet
  }

  var faults: FaultInjection { FaultInjection(rate: faultRate, kind: fault) }

  /// Whether another simulation has the same orders, and no fewer.
  fileprivate func isContinued(by other: StoredSimulation) -> Bool {
    var same = other
    same.orders = orders
    return same == self && other.orders >= orders
  }
}

/// What the simulated backend of an order remembers, and the result of the order.
struct StoredBackend: Codable, Sendable {
  /// The time on the order's clock.
  var time = OrderTime.zero
  var requests = 0
  var requestsFromInactive = 0
  var state = BackendMemory.State()
  /// Nil until the order has ended.
  var report: OrderReport?
}

/// The files of a simulation beside those of the store.
///
///     DIRECTORY/simulation.json    the simulation
///     DIRECTORY/backend/N.json     what the simulated backend remembers of order N, and its result
///
/// A file is replaced as a whole, and survives a crash of the process.
package struct SimulationFiles: Sendable {
  package enum Failure: Error, CustomStringConvertible {
    /// The directory has other files, and no simulation.
    case foreign(directory: String)
    /// The directory has a simulation of other orders, or of more.
    case different(StoredSimulation)
    case unreadable(path: String, reason: String)
    case unwritable(path: String, reason: String)
    case malformed(path: String)

    package var description: String {
      switch self {
      case .foreign(let directory): "'\(directory)' is not the directory of a simulation"
      case .different: "the directory has another simulation"
      case .unreadable(let path, let reason): "can't read '\(path)': \(reason)"
      case .unwritable(let path, let reason): "can't write '\(path)': \(reason)"
      case .malformed(let path):
        "'\(path)' is damaged. Restore it from a backup, or begin again in another directory."
      }
    }
  }

  private let directory: String

  /// - Parameter directory: the path of the directory.
  init(directory: String) { self.directory = directory }

  private var settings: String { directory + "/simulation.json" }
  private var folder: String { directory + "/backend" }

  /// The files that exist before a simulation has begun: those of the store, and what `begin(_:)` writes first.
  private static let earlyFiles: Set<String> = [
    "store.lock", "store.json", "store.tmp", "backend", "simulation.json.tmp",
  ]

  /// Refuses a directory that has other files, and no simulation.
  func check() throws(Failure) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
    if names.contains("simulation.json") { return }
    let backends = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard backends.isEmpty, SimulationFiles.earlyFiles.isSuperset(of: names) else {
      throw .foreign(directory: directory)
    }
  }

  /// Refuses a directory without a simulation.
  func requireSimulation() throws(Failure) {
    guard FileManager.default.fileExists(atPath: settings) else { throw .foreign(directory: directory) }
  }

  /// Saves the simulation, or compares it with the saved one.
  func begin(_ simulation: StoredSimulation) throws(Failure) {
    if let bytes = try SimulationFiles.read(settings) {
      guard let saved = try? JSONDecoder().decode(StoredSimulation.self, from: bytes) else {
        throw .malformed(path: settings)
      }
      guard saved.isContinued(by: simulation) else { throw .different(saved) }
      if saved == simulation { return }
    }
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw .unwritable(path: folder, reason: error.systemReason)
    }
    try SimulationFiles.write(SimulationFiles.bytes(of: simulation, for: settings), to: settings)
  }

  func backend(of number: Int) -> BackendFile { BackendFile(path: "\(folder)/\(number).json") }

  /// All backends, in no order.
  func backends() throws(Failure) -> [(number: Int, backend: StoredBackend)] {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .unreadable(path: folder, reason: error.systemReason)
    }
    var found: [(number: Int, backend: StoredBackend)] = []
    for name in names where name.hasSuffix(".json") {
      guard let number = Int(name.dropLast(5)), let backend = try backend(of: number).read() else { continue }
      found.append((number, backend))
    }
    return found
  }

  /// - Returns: nil if the file does not exist.
  fileprivate static func read(_ path: String) throws(Failure) -> Data? {
    do { return try Data(contentsOf: URL(filePath: path)) } catch {
      if (error as? CocoaError)?.code == .fileReadNoSuchFile { return nil }
      throw .unreadable(path: path, reason: error.systemReason)
    }
  }

  fileprivate static func bytes(of value: some Encodable, for path: String) throws(Failure) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(value) } catch { throw .unwritable(path: path, reason: "\(error)") }
  }

  fileprivate static func write(_ bytes: Data, to path: String) throws(Failure) {
    let temporary = path + ".tmp"
    do { try bytes.write(to: URL(filePath: temporary)) } catch {
      throw .unwritable(path: path, reason: error.systemReason)
    }
    guard rename(temporary, path) == 0 else {
      throw .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
  }
}

/// The file of an order's backend.
final class BackendFile: Sendable {
  private struct State {
    var written: Data?
    var report: OrderReport?
    var failure: SimulationFiles.Failure?
  }

  private let path: String
  private let state = Locked(State())

  init(path: String) { self.path = path }

  /// - Returns: nil if there is no file.
  func read() throws(SimulationFiles.Failure) -> StoredBackend? {
    guard let bytes = try SimulationFiles.read(path) else { return nil }
    guard let backend = try? JSONDecoder().decode(StoredBackend.self, from: bytes) else {
      throw .malformed(path: path)
    }
    state.withLock { $0 = State(written: bytes, report: backend.report) }
    return backend
  }

  /// Replaces the file if it has changed. A result that it has stays. If that fails, `check()` throws until a later write
  /// succeeds.
  func write(_ backend: StoredBackend) {
    // One after the other: all write to the same temporary file.
    state.withLock { state in
      var backend = backend
      backend.report = backend.report ?? state.report
      do throws(SimulationFiles.Failure) {
        let bytes = try SimulationFiles.bytes(of: backend, for: path)
        if bytes != state.written { try SimulationFiles.write(bytes, to: path) }
        state = State(written: bytes, report: backend.report)
      } catch {
        state.failure = error
      }
    }
  }

  /// Throws the failure of the last write.
  func check() throws(SimulationFiles.Failure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
