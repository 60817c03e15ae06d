// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The saved state of a tree: a value that can leave the tree, be stored, and be restored in another process.
///
/// It contains each RIB by name with its place in the tree, the `savedState` of interactors that conform to ``Saving``,
/// and the routes of the containers in ``RouterNode/savedChildren``. Capturing it takes one walk through the tree,
/// without suspension. States are encoded later, off the tree:
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// let document = try await session.save().encoded(by: JSONStateCoder())
///
/// let restored = try await TreeHost(restoring: SavedTree(document), coder: JSONStateCoder()) {
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// print(restored.isActive)
/// ```
///
/// ## Format
///
/// One flat JSON document: `{"format":1,"ribs":[…]}`, with one line for each RIB, parents before their children. A RIB
/// is an object: `in` is the index of its parent, `rib` its name, `v` the version of its `state`, and `children` has the
/// routes of each container. A child of a container has the container's name as `at`, and its position there as
/// `index` unless it is the first; `restarting` says that it had failed, and was about to be restarted with this state.
/// `lost` has the positions of routes that have lost their child, by container. Readers ignore unknown keys. Each version
/// of this library reads all earlier formats.
public struct SavedTree: Sendable {
  /// The version of the format. It changes when readers of the old version would misread the new one.
  package static let format = 1

  /// A saved RIB.
  package struct Record: Sendable {
    /// The index of the parent; negative for the root.
    package let parent: Int32
    package let name: Name
    /// The container that holds the RIB; nil for a child that was attached by code.
    package let place: Place?
    /// What few RIBs have.
    package let details: Details?
    /// Whether the RIB had failed and was about to be restarted.
    package let isRestarting: Bool

    package init(parent: Int32, name: Name, place: Place?, details: Details?, isRestarting: Bool = false) {
      self.parent = parent
      self.name = name
      self.place = place
      self.details = details
      self.isRestarting = isRestarting
    }

    /// The record at another parent.
    func moved(below parent: Int32) -> Record {
      Record(parent: parent, name: name, place: place, details: details, isRestarting: isRestarting)
    }
  }

  /// The name of a RIB. Created when it is read, because that is slow.
  package enum Name: Sendable {
    case type(any AnyObject.Type)
    case text(String)

    package var text: String {
      switch self {
      case .type(let type): nameOfRIB(type)
      case .text(let text): text
      }
    }
  }

  /// The place of a child in a container.
  package struct Place: Hashable, Sendable {
    package let container: String
    package let index: Int

    package init(container: String, index: Int) {
      self.container = container
      self.index = index
    }
  }

  /// The saved content of a container.
  package struct Container: Sendable {
    package let name: String
    package let routes: SavedValue
    /// The position of a route that has lost its child.
    package let lost: Int?

    package init(name: String, routes: SavedValue, lost: Int?) {
      self.name = name
      self.routes = routes
      self.lost = lost
    }
  }

  package final class Details: Sendable {
    package let state: SavedValue?
    package let version: Int
    package let containers: [Container]

    package init(state: SavedValue?, version: Int, containers: [Container]) {
      self.state = state
      self.version = version
      self.containers = containers
    }
  }

  package let records: [Record]
  /// Decodes the values that were read from a document; nil if all were captured in this process.
  let coder: (any SavedTree.Coder)?
  /// When the first work of the tree wakes that sleeps until a wall time; nil if none does. Not part of the document: what
  /// stores the tree stores it too, to wake the tree.
  public internal(set) var wakes: WallTime?

  package init(records: [Record], coder: (any SavedTree.Coder)? = nil) {
    self.records = records
    self.coder = coder
  }

  /// The tree with the coder that its values were encoded by.
  package func decoded(by coder: any SavedTree.Coder) -> SavedTree {
    var tree = SavedTree(records: records, coder: coder)
    tree.wakes = wakes
    return tree
  }

  /// The number of saved RIBs.
  public var count: Int { records.count }
}

extension SavedTree {
  /// Encodes and decodes the states and routes of a saved tree. `JSONStateCoder` in `RIBsStore` conforms.
  ///
  /// Equal values must be encoded as equal bytes, in each process: a coder for JSON sorts the keys.
  public protocol Coder: Sendable {
    /// Whether the encoded bytes are JSON texts, which the document then contains as they are. Other bytes are stored
    /// as Base64.
    var writesJSON: Bool { get }

    /// Encodes a state, or the routes of a container.
    func encode<Value: Encodable>(_ value: Value) throws -> [UInt8]

    /// Decodes a state, or the routes of a container. The bytes are untrusted input.
    func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value
  }
}

package enum SavedValue: Sendable {
  /// Finds the bytes that a coder has written in the text of a document.
  package typealias Unwrap = @Sendable (ArraySlice<UInt8>, any SavedTree.Coder) throws -> [UInt8]

  /// As captured.
  case captured(any Codable & Sendable)
  /// As read from a document.
  case text(ArraySlice<UInt8>, Unwrap)

  /// - Parameter coder: nil if the value was captured in this process.
  func decode<Value: Decodable>(_ type: Value.Type, by coder: (any SavedTree.Coder)?) throws -> Value {
    if case .captured(let value) = self, let value = value as? Value { return value }
    guard let coder else { throw CoderMissing() }
    switch self {
    case .captured(let value): return try coder.decode(type, from: coder.encode(value))
    case .text(let text, let unwrap): return try coder.decode(type, from: unwrap(text, coder))
    }
  }
}

struct CoderMissing: Error, CustomStringConvertible {
  var description: String { "It was captured as another type, and the tree has no coder to convert it." }
}
