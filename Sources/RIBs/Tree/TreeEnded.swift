// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The tree or the scope has ended, so the call was not made, or has no result.
public struct TreeEnded: Error, CustomStringConvertible {
  /// The RIB that the call was bound to, if its scope ended before the call; nil if the tree had ended.
  public let path: TreePath?

  @usableFromInline
  init(_ path: TreePath? = nil) { self.path = path }

  public var description: String {
    guard let path else { return "The tree has ended. Launch a new one, or make no call after it is shut down." }
    return "\(path) has resigned before the call ended. Its tree has ended, or its parent has detached it."
  }
}

extension TreeEnded {
  /// Why a tree has ended.
  public indirect enum Reason: Sendable, CustomStringConvertible {
    /// The owner of the tree ended it or shut it down.
    case shutDown
    /// The RIB of the path called `endTree()`.
    case requested(by: TreePath)
    /// A RIB has failed, and no RIB above it answered.
    case failed(TreeFailure)
    /// The last reference to the tree, or to its host, was released.
    case released
    /// It never began: its launch was refused as misuse.
    case refused(Misuse)
    /// It was restored from a saved tree, and the state of a RIB that its code attached was refused.
    case notRestored(SavedTree.RestoreError)

    /// The reason in words.
    public var description: String {
      switch self {
      case .shutDown: "it was shut down"
      case .requested(let path): "\(path) ended it"
      case .failed(let failure): "\(failure.path) failed: \(failure.error)"
      case .released: "the last reference to it was released"
      case .refused(let misuse): "its launch was refused: \(misuse.message)"
      case .notRestored(let error): "it was not restored: \(error)"
      }
    }
  }
}

extension TaskOwner {
  /// Ends the tree of this RIB: all RIBs resign, children first. `TreeHost.ended` then has the path of this RIB.
  ///
  /// It may be called in every callback and in bound work, which it cancels. If it is called in a callback of a resigning
  /// RIB, the rest of the tree resigns after the callback has returned. Outside a tree it is a no-op.
  public final func endTree() { ownerNode?.endTree() }
}

extension RouterNode {
  /// Ends the tree of this RIB; see `Interactor.endTree()`.
  public final func endTree() {
    guard let tree else { return }
    tree.checkIsolation()
    tree.end(.requested(by: path))
  }
}
