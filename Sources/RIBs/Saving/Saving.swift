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

/// The state of a saved RIB, or the routes of a saved container.
/// The error of a captured value of another type than the one that is restored.
