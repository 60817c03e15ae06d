// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import RIBs
internal import RIBsStore
package import TaxiOrder

/// What happens in an order that can be saved.
package struct OrderScenario: Hashable, Codable, Sendable {
  /// The possible sizes of a fleet.
  package static let fleets = 0...10_000

  package var from: String?
  package var to: String?
  /// The link that requests the order; nil if the rider does.
  package var link: OrderLink?
  /// The seed of all generated data.
  package var seed: UInt64
  /// The number of free taxis near the rider.
  package var fleet: Int
  package var fault: FaultKind?
  /// When the taxi is ordered for; nil for now.
  package var time: OrderTime?

  package init(
    from: String?, to: String?, link: OrderLink?, seed: UInt64, fleet: Int, fault: FaultKind?, time: OrderTime? = nil
  ) {
    self.from = from
    self.to = to
    self.link = link
    self.seed = seed
    self.fleet = fleet
    self.fault = fault
    self.time = time
  }

  var trip: Trip { .generated(from: from, to: to, seed: seed) }

  var injectedFault: Fault? {
    fault.map { FaultInjection(rate: 1, kind: $0) }?.fault(of: trip, seed: seed)
  }
}

/// The files of a saved order: the document of its tree, and beside it what the simulated backend remembers.
///
/// The backend stands for other processes, which survive a crash. So its file is written before a request is answered,
/// and the tree is saved by itself.
package final class OrderFiles: Sendable {
  /// What the backend remembers.
  package struct Backend: Codable, Sendable {
    package let scenario: OrderScenario
    let time: OrderTime
    let state: BackendMemory.State
  }

  /// A saved order.
  package struct Contents: Sendable {
    package let tree: SavedTree
    package let backend: Backend
  }

  /// A file can't be read or written, or is not what was saved.
  package enum Failure: Error, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case unwritable(path: String, reason: String)
    case malformed(path: String, reason: String)

    package var description: String {
      switch self {
      case .unreadable(let path, let reason): "can't read '\(path.printable)': \(reason)"
      case .unwritable(let path, let reason): "can't write '\(path.printable)': \(reason)"
      case .malformed(let path, let reason): "'\(path.printable)' is not a saved order: \(reason)"
      }
    }
  }

  private let path: String
  private let scenario: OrderScenario
  private let failure = Locked<Failure?>(nil)

  /// - Parameters:
  ///   - path: the path of the document.
  ///   - scenario: what happens in the order.
  package init(path: String, scenario: OrderScenario) {
    self.path = path
    self.scenario = scenario
  }

  /// Reads a saved order.
  package static func read(_ path: String) throws(Failure) -> Contents {
    let document = try bytes(of: path)
    let backend = try bytes(of: backendPath(path))
    let tree: SavedTree
    do throws(SavedTree.RestoreError) { tree = try SavedTree(document) } catch {
      throw .malformed(path: path, reason: "\(error)")
    }
    guard let backend = try? JSONDecoder().decode(Backend.self, from: Data(backend)),
      OrderScenario.fleets.contains(backend.scenario.fleet)
    else { throw .malformed(path: backendPath(path), reason: "it is not the memory of a backend") }
    return Contents(tree: tree, backend: backend)
  }

  /// Creates the file of the backend, and removes the document of another order.
  ///
  /// - Parameter saved: the saved order to continue; nil to begin anew.
  package func create(restoring saved: Contents?) throws(Failure) {
    // Saving replaces whatever has the path: also a device, if the user may write to its folder.
    let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    guard [nil, .typeRegular, .typeSymbolicLink].contains(type) else {
      throw .unwritable(path: path, reason: "not a regular file")
    }
    guard saved != nil || unlink(path) == 0 || errno == ENOENT else {
      throw .unwritable(path: path, reason: String(cString: strerror(errno)))
    }
    save(saved?.backend.state ?? BackendMemory.State(), at: saved?.backend.time ?? .zero)
    try check()
  }

  /// Saves the tree.
  ///
  /// - Throws: the first failure of all saves.
  func save(_ tree: SavedTree) throws(Failure) {
    write(to: path) { coder in try tree.encoded(by: coder) }
    try check()
  }

  /// Saves what the backend remembers. If that fails, the next save of the tree fails.
  func save(_ state: BackendMemory.State, at time: OrderTime) {
    let backend = Backend(scenario: scenario, time: time, state: state)
    write(to: OrderFiles.backendPath(path)) { coder in try coder.encode(backend) }
  }

  /// Throws the first failure of all saves.
  func check() throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Replaces a file as a whole, unless a save has failed before.
  private func write(to path: String, _ encode: (JSONStateCoder) throws -> [UInt8]) {
    failure.withLock { failure in
      guard failure == nil else { return }
      do {
        try Data(encode(JSONStateCoder())).write(to: URL(filePath: path), options: .atomic)
      } catch let error as CocoaError {
        failure = .unwritable(path: path, reason: error.systemReason)
      } catch {
        failure = .unwritable(path: path, reason: "\(error)")
      }
    }
  }

  private static func backendPath(_ path: String) -> String { path + ".backend" }

  private static func bytes(of path: String) throws(Failure) -> [UInt8] {
    do {
      let file = try FileSource(path: path)
      var bytes: [UInt8] = []
      while true {
        let piece = try file.read()
        if piece.isEmpty { return bytes }
        bytes += piece
      }
    } catch TripFileError.unreadable(let reason) {
      throw .unreadable(path: path, reason: reason)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}

/// Saves the tree of an order in its files.
struct OrderSaving: TreeSaving {
  let files: OrderFiles
  let memory: BackendMemory

  func save(_ saved: SavedTree) async throws {
    // The time of the backend is that of the tree.
    memory.reportChange()
    try files.save(saved)
  }
}
