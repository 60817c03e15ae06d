internal import Foundation

/// Keeps the saved trees of a `TreeDirectory`, so that they survive the process.
///
/// `FileStore` and `MemoryStore` conform. A store on a database is eight short functions: each is one statement. The test
/// kit has a suite of tests for them, `expectConformance(of:)` in `RIBsTesting`.
///
/// ## Contract
///
/// Several processes may use one store at once, each as a `TreeOwner`.
///
/// - **Claims raise the fence.** Each successful `claim` of a key returns a larger fence than all claims of that key
///   before it, also those of earlier processes. Only the claim with the largest fence may write.
/// - **Saves say the fence.** A record with another fence than that of the latest claim is not written, and its key is
///   returned. The check and the write are one atomic step: two writers are impossible, whatever the clocks say.
/// - **Saves are idempotent.** A save that throws has an unknown outcome, for each of its records. The caller repeats each
///   record with the same version, alone or with others, until a save of it returns. A record with a lower version than
///   the stored one is not written, and counts as saved.
/// - **Saves are durable.** When `save` returns, its records survive a crash of the process and of the machine. A crash at
///   any point leaves each record as it was before the save, or as it is after it.
/// - **Leases avoid needless claims.** An owner that renews its lease keeps its trees: a `claim` by another owner returns
///   its address. An owner whose lease has ended is never renewed again. A store for one process at a time needs no
///   leases: `renew` returns true.
/// - **Starts are counted.** A process that ends while it starts a tree can't say so. So a claim marks the start of the tree
///   as unfinished, in the same commit, and a `save` or a `note` with the fence of the claim ends the mark. A claim that
///   finds the mark returns it, and a tree that is noted as quarantined is neither claimed nor due until it is retried.
///   A store that leaves this out keeps trees as well, but a tree that ends its process ends each process that opens it.
///
/// All functions may be called concurrently, and may throw any error: the directory repeats saves, and passes the error of
/// a claim to the callers that wait for the tree. They should not react to the cancellation of the calling task.
public protocol TreeStore: Sendable {
  /// Makes an owner the only writer of a tree.
  ///
  /// Called before each restore. The claim holds until the record is saved with `isReleased`, or another owner claims it.
  ///
  /// - Parameters:
  ///   - key: the tree.
  ///   - owner: the claiming owner. It may hold the tree already.
  ///   - schema: the schema of the program. A record of a later one is not claimed.
  /// - Returns: the fence and what is saved, or why the tree was not claimed.
  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim

  /// Writes records, all in one commit if the store can.
  ///
  /// - Parameter records: at most one record for each key.
  /// - Returns: the keys of the records that were refused because of their fence. Another owner has claimed these trees, so
  ///   the caller must end them.
  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey>

  /// Finds the trees that no living owner holds, and that were awake when they were last saved.
  ///
  /// After a crash those are the trees that were awake when the process died.
  ///
  /// - Parameters:
  ///   - kind: the kind of the trees.
  ///   - limit: the maximum number of keys.
  ///   - schema: the schema of the program. Records of a later one are excluded.
  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey]

  /// Renews the lease of an owner.
  ///
  /// - Parameters:
  ///   - owner: the owner.
  ///   - duration: how long the lease holds, from the time at which the store handles this call.
  /// - Returns: false if the lease had ended before: the owner has lost all its trees and is never renewed again.
  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool

  /// Whether a record of a tree is stored. It writes nothing.
  ///
  /// Called before a tree is opened for `TreeDirectory.perform(onExisting:)`, so that a call of an unknown ID leaves nothing
  /// in the store. The default returns true: the directory then claims the tree to find out.
  func contains(_ key: TreeKey) async throws -> Bool

  /// Notes how the starts of claimed trees go. A start whose fence is not that of the latest claim has no effect.
  ///
  /// Called with many starts that have succeeded, and with one that begins or is given up. Repeated notes have the effect
  /// of one. The record of the tree stays as it is, and so does its version. The default does nothing.
  ///
  /// - Parameter starts: at most one for each key.
  func note(_ starts: [TreeStart]) async throws

  /// The quarantined trees of a kind, with what is known of their starts. The default returns none.
  ///
  /// Called in each round of `TreeDirectory.run()`, so it must not read the other trees.
  func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts]

  /// Ends the quarantine of a tree and forgets its starts. A no-op for other trees, and by default.
  ///
  /// A tree that was awake is due again. Calls of `quarantined(_:)` that begin later don't return the tree.
  func retry(_ key: TreeKey) async throws

  /// Whether other processes can claim trees while this one runs, which is the default. False for a store of one process at
  /// a time, whose leases never end: a directory then answers without checking its lease.
  var isShared: Bool { get }
}

extension TreeStore {
  /// True.
  public var isShared: Bool { true }

  /// True.
  public func contains(_ key: TreeKey) async throws -> Bool { true }

  /// Does nothing.
  public func note(_ starts: [TreeStart]) async throws {}

  /// None.
  public func quarantined(_ kind: String) async throws -> [TreeKey: UnfinishedStarts] { [:] }

  /// Does nothing.
  public func retry(_ key: TreeKey) async throws {}
}

/// The identity of a tree in a store: its kind, and its ID among the trees of that kind.
public struct TreeKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The kind of the tree, such as `order`.
  public let kind: String
  /// The ID of the tree, such as `17`.
  public let id: String

  /// Creates a key.
  ///
  /// Canonically equivalent strings give keys with equal bytes, because databases compare bytes.
  public init(kind: String, id: String) {
    self.kind = kind.normalized
    self.id = id.normalized
  }

  /// The key as text: `order/17`.
  public var description: String { "\(kind)/\(id)" }

  public static func < (a: TreeKey, b: TreeKey) -> Bool { (a.kind, a.id) < (b.kind, b.id) }
}

extension String {
  /// The text with composed characters, such as a single scalar for "é".
  fileprivate var normalized: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }
}

/// A process, or a part of one, that writes trees. A new one has an identity that no other has had before.
public struct TreeOwner: Hashable, Sendable, CustomStringConvertible {
  /// The identity of the owner: 32 random hexadecimal digits.
  public let id: String
  /// Where the owner is reached, such as `10.0.0.7:8080`; empty if it is not reached from elsewhere.
  public let address: String

  /// Creates an owner with a new identity.
  ///
  /// - Parameter address: where it is reached. Stores end the lease of an earlier owner with the same address, unless the
  ///   address is empty.
  public init(address: String = "") {
    id = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    self.address = address
  }

  /// The address and the identity.
  public var description: String { address.isEmpty ? id : "\(address) (\(id))" }
}

/// The result of `TreeStore.claim(_:by:schema:)`.
public enum TreeClaim: Hashable, Sendable {
  /// The owner is the only writer.
  ///
  /// - Parameters:
  ///   - fence: larger than that of each claim of the tree before.
  ///   - saved: what is saved; nil if there is no record.
  case claimed(fence: UInt64, saved: SavedRecord?)
  /// Another owner holds the tree, and its lease has not ended.
  case elsewhere(address: String)
  /// The record was saved by a later schema of the program.
  case laterSchema(Int)
  /// The tree is quarantined, its schema is not later, and no living owner holds it. It was not claimed.
  case quarantined(UnfinishedStarts)
}

/// Starts of a tree, one after the other, of which none is known to have succeeded: each process may have ended because of
/// the tree.
public struct UnfinishedStarts: Error, Hashable, CustomStringConvertible {
  /// The number of starts. One if a claim was followed by nothing: many trees may have been started at the same time. More
  /// if the tree was then started alone.
  public let count: Int
  /// Who began the last one, and when, in words; empty if it was one of many.
  public let last: String

  /// Creates a description of starts.
  public init(count: Int, last: String = "") {
    self.count = count
    self.last = last
  }

  public var description: String {
    "\(count) processes in a row have ended when they had started it" + (last.isEmpty ? "" : ", the last one \(last)")
  }
}

/// A note of how the start of a claimed tree goes; see `TreeStore.note(_:)`.
public struct TreeStart: Hashable, Sendable {
  /// How a start goes.
  public enum State: Hashable, Sendable {
    /// The tree is about to be started alone. The starts replace those of the store, and include this one.
    case begins(UnfinishedStarts)
    /// The tree lives: the store forgets its starts.
    case succeeded
    /// The tree is not started any more, by any process. Its starts are kept, and its claim ends.
    case quarantined
  }

  /// The tree.
  public let key: TreeKey
  /// The fence of the owner's claim.
  public let fence: UInt64
  /// How its start goes.
  public let state: State

  /// Creates a note.
  public init(key: TreeKey, fence: UInt64, state: State) {
    self.key = key
    self.fence = fence
    self.state = state
  }
}

/// What a store has of a tree.
public struct SavedRecord: Hashable, Sendable {
  /// The version of the record, which the owner counts.
  public let version: UInt64
  /// The schema of the program that saved it.
  public let schema: Int
  /// The document of the tree.
  public let document: [UInt8]
  /// Whether the tree was awake when it was last saved. A claim whose restore fails is released with the same value.
  public let isAwake: Bool
  /// Starts of the tree that are not known to have succeeded; nil if the last one has.
  public let unfinishedStarts: UnfinishedStarts?

  /// Creates a record.
  public init(
    version: UInt64, schema: Int, document: [UInt8], isAwake: Bool, unfinishedStarts: UnfinishedStarts? = nil
  ) {
    self.version = version
    self.schema = schema
    self.document = document
    self.isAwake = isAwake
    self.unfinishedStarts = unfinishedStarts
  }
}

/// A write to a store.
public struct TreeRecord: Hashable, Sendable {
  /// What is done with the document of the tree.
  public enum Content: Hashable, Sendable {
    /// It is replaced.
    case document([UInt8])
    /// It stays: the tree has not changed since it was claimed, or its record can't be read. Without a record none is
    /// made.
    case unchanged
    /// The record is removed. The fence of later claims must still be larger.
    case removed
  }

  /// The tree.
  public let key: TreeKey
  /// The fence of the owner's claim.
  public let fence: UInt64
  /// The version, larger than that of the record before; a repeated save has the same one.
  public let version: UInt64
  /// The schema of the program.
  public let schema: Int
  /// The new content.
  public let content: Content
  /// Whether the tree is awake, or is to be awake: `due` finds it when no living owner holds it.
  public let isAwake: Bool
  /// Whether the owner releases the tree with this save.
  public let isReleased: Bool

  /// Creates a record.
  public init(
    key: TreeKey, fence: UInt64, version: UInt64, schema: Int, content: Content, isAwake: Bool, isReleased: Bool
  ) {
    self.key = key
    self.fence = fence
    self.version = version
    self.schema = schema
    self.content = content
    self.isAwake = isAwake
    self.isReleased = isReleased
  }
}
