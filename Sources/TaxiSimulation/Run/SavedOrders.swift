// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBsStore
package import TaxiOrder

/// An order in a directory of a simulation, as it is saved.
package struct SavedOrder: Hashable, Sendable {
  /// What is saved of an order.
  package struct Contents: Hashable, Sendable {
    /// The state of the order, in one or two words.
    package let state: String
    /// What was charged, if the order was completed.
    package let charged: Cents?
    /// Whether the tree was awake when it was last saved.
    package let isAwake: Bool
    /// The number of times that the tree was saved, and given up.
    package let version: UInt64
    /// The number of bytes of the tree.
    package let bytes: Int
  }

  /// The ID of the order: its number.
  package let id: String
  /// Nil if the file can't be read.
  package let contents: Contents?
  /// Why the file can't be read.
  package let damage: String?

  private init(_ record: FileRecord) {
    id = record.key.id
    do {
      let tree = try JSONDecoder().decode(SavedOrderTree.self, from: Data(record.saved.document))
      contents = Contents(
        state: tree.state, charged: tree.charged, isAwake: record.isAwake, version: record.saved.version,
        bytes: record.saved.document.count)
      damage = nil
    } catch {
      contents = nil
      damage = "\(record.file) has no saved tree of an order. It is left as it is."
    }
  }

  private init(_ error: FileStoreError) {
    let file =
      switch error {
      case .damaged(let file, _), .laterFormat(let file, _), .system(_, let file, _): file
      default: ""
      }
    id = URL(filePath: file).deletingPathExtension().lastPathComponent.removingPercentEncoding ?? ""
    contents = nil
    damage = "\(error)"
  }

  /// Reads all orders in a directory, by number. A process may run them meanwhile.
  ///
  /// - Throws: a `SimulationFiles.Failure`, or a `FileStoreError`.
  package static func all(in directory: String) throws -> [SavedOrder] {
    let records = try FileStore.records(in: directory, of: StoredOrders.kind)
    try SimulationFiles(directory: directory).requireSimulation()
    return records.map { result in
      switch result {
      case .success(let record): SavedOrder(record)
      case .failure(let error): SavedOrder(error)
      }
    }.sorted { one, other in (Int(one.id) ?? .max, one.id) < (Int(other.id) ?? .max, other.id) }
  }
}
