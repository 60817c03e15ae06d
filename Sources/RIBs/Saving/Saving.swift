// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An interactor whose state outlives its process.
///
/// When a tree is saved, the runtime reads `savedState` of each interactor that conforms. When the tree is restored, it
/// sets the state before the interactor becomes active, and before children are built from saved routes.
///
/// ```swift
/// final class TimerInteractor: Interactor, Saving {
///   struct SavedState: Codable, Sendable { var title = "", rings = 0 }
///
///   var savedState = SavedState() { didSet { setNeedsSave() } }
/// }
/// ```
///
/// The property may be computed, to save a part of the state, or state that is in a stream of the component.
///
/// `didBecomeActive()` finds the restored state in place. So it must not reset it: it does what the state requires. See
/// <doc:SavingAndRestoring>.
public protocol Saving: Interactor {
  /// The type of the saved state.
  associatedtype SavedState: Codable & Sendable

  /// The state that is saved. Reading it must have no side effects. It is set while the interactor is inactive.
  var savedState: SavedState { get set }

  /// The version of `SavedState`. Increase it when older states can no longer be decoded as the current type. The
  /// default is 1.
  static var savedVersion: Int { get }

  /// Converts a state that was saved with an earlier version. The default throws.
  ///
  /// - Parameters:
  ///   - old: the saved state, which is decoded as the type that it had.
  ///   - version: the version it was saved with, which is lower than `savedVersion`.
  /// - Throws: any error, which refuses the restore.
  static func migrate(_ old: SavedTree.OldState, from version: Int) throws -> SavedState
}

extension Saving {
  /// Version 1.
  public static var savedVersion: Int { 1 }

  /// Throws: there is no conversion.
  public static func migrate(_ old: SavedTree.OldState, from version: Int) throws -> SavedState {
    throw MigrationMissing()
  }
}

/// The error of a state of an earlier version without a conversion.
struct MigrationMissing: Error, CustomStringConvertible {
  var description: String { "No conversion is written: implement migrate(_:from:)." }
}

extension SavedTree {
  /// A state that was saved with an earlier version; see ``Saving/migrate(_:from:)``.
  public struct OldState {
    let value: SavedValue
    let coder: (any SavedTree.Coder)?

    /// Decodes the state as the type that it was saved with.
    ///
    /// - Throws: the error of the coder, if the state is not of that type.
    public func decode<State: Decodable>(_ type: State.Type = State.self) throws -> State {
      try value.decode(type, by: coder)
    }
  }
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

/// The state of a saved RIB, or the routes of a saved container.
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

/// The error of a captured value of another type than the one that is restored.
struct CoderMissing: Error, CustomStringConvertible {
  var description: String { "It was captured as another type, and the tree has no coder to convert it." }
}
