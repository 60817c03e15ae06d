// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Another process owns the tree. Forward the request to its address.
public struct TreeElsewhere: Error, Hashable, CustomStringConvertible {
  /// The tree.
  public let key: TreeKey
  /// The address of the owner. Empty if the owner has none, or if it is unknown: the next call reads it from the store.
  public let address: String

  /// Creates an error.
  public init(key: TreeKey, address: String) {
    self.key = key
    self.address = address
  }

  public var description: String {
    address.isEmpty
      ? "\(key) belongs to another process. The next call reads its address from the store."
      : "\(key) belongs to the process at \(address). Send the request there."
  }
}

/// The tree was saved by a later version of the program, so this version must not overwrite it.
///
/// Forward the request to a process of the later version, or deploy that version here.
public struct LaterSchema: Error, Hashable, CustomStringConvertible {
  /// The tree.
  public let key: TreeKey
  /// The schema that saved it.
  public let saved: Int
  /// The schema of this program.
  public let known: Int

  /// Creates an error.
  public init(key: TreeKey, saved: Int, known: Int) {
    self.key = key
    self.saved = saved
    self.known = known
  }

  public var description: String {
    "\(key) was saved by schema \(saved) of the program, and this is schema \(known). Send the request to a process of the "
      + "later version, or deploy it here."
  }
}

/// The tree is quarantined because it has failed, could not be restored or has ended its process too often.
///
/// Its record is unchanged. Repair the cause, then call `TreeDirectory.retry(_:)`.
public struct TreeQuarantined: Error, CustomStringConvertible {
  /// The tree.
  public let key: TreeKey
  /// The last error: a `SavedTree.RestoreError`, or a `TreeFailure`. `UnfinishedStarts` if the tree has ended its process, which
  /// quarantines it in the store, for all processes.
  public let reason: any Error

  /// Creates an error.
  public init(key: TreeKey, reason: any Error) {
    self.key = key
    self.reason = reason
  }

  public var description: String {
    "\(key) is in quarantine. \(reason.quarantineAdvice("TreeDirectory.retry(_:)")): \(reason)"
  }
}

extension Error {
  /// What to do about a tree that is quarantined because of this error.
  func quarantineAdvice(_ retry: String) -> String {
    self is UnfinishedStarts
      ? "Repair the cause, deploy, then call \(retry) in any process; a restart does not end the quarantine"
      : "Repair the cause, then call \(retry), or restart the process"
  }
}

/// The limit of the directory is reached, and no tree is idle and ends in time. Retry later, or raise `DirectoryConfiguration.limit`.
public struct DirectoryFull: Error, Hashable, CustomStringConvertible {
  /// The limit.
  public let limit: Int

  /// Creates an error.
  public init(limit: Int) { self.limit = limit }

  public var description: String {
    "\(limit) trees are awake, and all are in use or do not end. Try again later, or raise DirectoryConfiguration.limit."
  }
}

/// Too many calls use or wait for the tree, so this one was not made. Retry later, or raise
/// `DirectoryConfiguration.callLimit`.
public struct TreeBusy: Error, Hashable, CustomStringConvertible {
  /// The tree.
  public let key: TreeKey
  /// The limit.
  public let limit: Int

  /// Creates an error.
  public init(key: TreeKey, limit: Int) {
    self.key = key
    self.limit = limit
  }

  public var description: String {
    "\(limit) calls use \(key) or wait for it. Try again later; if it does not return, find out what it does with "
      + "TurnWatchdog. DirectoryConfiguration.callLimit is the limit."
  }
}

/// A tree did not answer within the timeout.
///
/// Either code of the tree, such as a call that never ends, blocks its actor, or the tree is still being opened or ended, or
/// the store has not saved what the call has changed.
public struct TreeUnanswered: Error, Hashable, CustomStringConvertible {
  /// What has not answered.
  public enum Reason: Hashable, Sendable {
    /// The tree: its code runs and does not return.
    case tree
    /// The tree is not awake: its builder, its store or its restore has not returned.
    case opening
    /// The store: the tree has ended, and its last save or the removal of its record has not succeeded.
    case ending
    /// The store: the closure of the call has returned, and what it changed is not saved, or the lease is not renewed.
    case store
  }

  /// The tree.
  public let key: TreeKey
  /// How long the caller waited.
  public let timeout: Duration
  /// What the tree is running; nil unless the reason is `tree`.
  public let tree: ShutdownReport?
  /// Whether the closure of the call has begun. If it has, it may have changed the tree, or may still do so. If it has
  /// not, it never begins, so the call can be repeated safely.
  public let hasBegun: Bool
  /// What has not answered.
  public let reason: Reason

  /// Creates an error, for tests of code that handles it.
  public init(
    key: TreeKey, timeout: Duration, tree: ShutdownReport? = nil, hasBegun: Bool = false, reason: Reason = .tree
  ) {
    self.key = key
    self.timeout = timeout
    self.tree = tree
    self.hasBegun = hasBegun
    self.reason = reason
  }

  public var description: String {
    let cause =
      switch reason {
      case .tree: (hasBegun ? " The call had begun, and may have changed it." : "") + (tree.map { " \($0)" } ?? "")
      case .opening: " It is being opened: its builder, its store or its restore has not returned."
      case .ending:
        " It has ended, and the store has not written its record. Look for DirectoryEvent.storeFailed, which has the error."
      case .store:
        " The call has returned, and the store has not answered. What the call has changed is saved later, or is lost if the "
          + "process ends before. Look for DirectoryEvent.storeFailed, which has the error."
      }
    return "\(key) did not answer within \(timeout).\(cause)"
  }
}

/// The directory was shut down.
public struct DirectoryEnded: Error, Hashable, CustomStringConvertible {
  /// Creates an error.
  public init() {}

  public var description: String { "The directory was shut down before this call. Shut it down after the last call." }
}

/// The tree was not saved before the directory's shutdown timed out, so the change of the call may be lost.
public struct SaveAbandoned: Error, Hashable, CustomStringConvertible {
  /// The tree.
  public let key: TreeKey

  /// Creates an error.
  public init(key: TreeKey) { self.key = key }

  public var description: String {
    "\(key) was not saved before the timeout of the shutdown. Its record has the state that was saved last."
  }
}

/// The description of an ID does not identify it, so its tree would be stored under several keys.
///
/// The description is read back as another ID, or an equal ID has another description.
public struct AmbiguousID: Error, Hashable, CustomStringConvertible {
  /// The text of the ID.
  public let text: String
  /// Another text of an equal ID; nil if no equal ID can be made from `text`.
  public let otherText: String?

  /// Creates an error.
  public init(text: String, otherText: String?) {
    self.text = text
    self.otherText = otherText
  }

  public var description: String {
    guard let otherText else {
      return "No ID that is equal to \"\(text)\" can be made from its description. Implement init(_:) so that it reads "
        + "what description returns."
    }
    return "The IDs \"\(text)\" and \"\(otherText)\" are equal, and their descriptions differ, so that one tree would "
      + "have two records. Return the same description for equal IDs, such as the text in lower case."
  }
}

/// The builder of a tree called the tree that it builds, directly or through other builders. The call would wait for
/// itself.
public struct CircularOpening: Error, Hashable, CustomStringConvertible {
  /// The tree that was called.
  public let key: TreeKey

  /// Creates an error.
  public init(key: TreeKey) { self.key = key }

  public var description: String {
    "The builder of \(key) has called \(key), which is being built. Pass what the tree needs to its builder."
  }
}
