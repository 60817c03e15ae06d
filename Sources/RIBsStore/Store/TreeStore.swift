// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

/// Keeps the saved trees of a `TreeDirectory`, so that they survive the process.
///
/// `FileStore` and `MemoryStore` conform. A store on a database has nine short functions, each with one statement. A store in
/// front of another one conforms to `ForwardingStore`. Test yours with `expectConformance(of:)` of `RIBsTesting`.
///
/// ## Contract
///
/// Several processes may use one store at once, each as a `TreeOwner`.
///
/// - **Claims raise the fence.** Each successful `claim` of a key returns a larger fence than all earlier claims of the
///   key, also those of earlier processes. Only the claim with the largest fence may write.
/// - **Every save carries its fence.** A record whose fence is not the latest claim's is rejected, and its key is returned.
///   The check and the write are one atomic step, so two writers are impossible, whatever the clocks show.
/// - **Saves are idempotent.** A save that throws has an unknown outcome, for each of its records. The caller repeats each
///   record with the same version, alone or with others, until a save of it returns. A record with a lower version than
///   the stored one is not written, and counts as saved.
/// - **Saves are durable.** When `save` returns, its records survive a crash of the process and of the machine. After a
///   crash at any point, each record is either the old one or the new one, never a mixture.
/// - **Leases avoid needless claims.** An owner that renews its lease keeps its trees: a `claim` by another owner returns
///   its address. A lease that has ended is not renewed by `renew`, nor is one that a claim has found ended: read the time
///   while the lease is locked. A store for one process at a time needs no leases: `renew` returns true.
/// - **Leases can be revived.** A store that was away for longer than a lease must not end all trees of its owners. So
///   `revive` renews a lease that has ended, and returns the trees that another owner has claimed meanwhile. A claim that
///   finds the lease ended and a revival exclude each other: the claim is returned by the revival, or finds the owner alive.
/// - **Trees sleep until a time.** A record says when its tree must wake. The time is written in the same commit as the rest
///   of the record, so it is never lost and never that of another state. The store returns the tree from `due` when the time
///   has come by its own clock: never early, however late it is asked, and again and again until an owner claims the tree. A
///   time that is in the past when it is saved has come. Records of earlier versions have no time, and earlier versions of a
///   store read records with one: they ignore it, and remove it with their next save.
/// - **Starts are counted.** A process that ends while it starts a tree can't report it. So a claim marks the start of the
///   tree as unfinished, in the same commit, and a `save` or a `note` with the fence of the claim removes the mark. A claim
///   that finds the mark returns it. A tree that is recorded as quarantined is neither claimed nor due until it is retried.
///   A store without these functions saves trees as well, but a tree that ends its process ends every process that opens
///   it.
///
/// All functions may be called concurrently, and may throw any error: the directory repeats saves, and passes the error of
/// a claim to the callers that wait for the tree. They should ignore the cancellation of the calling task, because its
/// outcome would then be unknown.
public protocol TreeStore: Sendable {
  /// Makes an owner the only writer of a tree.
  ///
  /// The directory calls it before each restore. The claim is valid until the record is saved with `isReleased`, or another
  /// owner claims the tree.
  ///
  /// - Parameters:
  ///   - key: the tree.
  ///   - owner: the claiming owner. It may own the tree already.
  ///   - schema: the schema of the program. A record of a later one is not claimed.
  /// - Returns: the fence and what is saved, or why the tree was not claimed.
  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim

  /// Writes records, all in one commit if the store can.
  ///
  /// - Parameter records: at most one record for each key.
  /// - Returns: the keys of the records that were rejected because of their fence. Another owner has claimed these trees, so
  ///   the caller must end them.
  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey>

  /// Finds the trees that no living owner has claimed, and that must be awake now.
  ///
  /// These are the trees that were awake when they were last saved, which after a crash are those that were awake when the
  /// process died; and those whose wake time has come by the clock of the store. Quarantined trees are excluded.
  ///
  /// The directory calls it in each round of `TreeDirectory.run()`, so it must read neither the trees that sleep on nor those
  /// of living owners.
  ///
  /// - Parameters:
  ///   - kind: the kind of the trees.
  ///   - limit: the maximum number of keys. A negative one counts as zero.
  ///   - schema: the schema of the program. Records of a later one are excluded.
  /// - Returns: at first the trees that were awake, in any order, then the others by their wake times, the oldest first.
  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey]

  /// Renews the lease of an owner.
  ///
  /// - Parameters:
  ///   - owner: the owner.
  ///   - duration: the duration of the lease, from the time at which the store handles this call.
  /// - Returns: false if the lease had ended before: other owners may have claimed the trees. Only `revive` renews it.
  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool

  /// Renews the lease of an owner also if it has ended, and says which of its trees another owner has claimed.
  ///
  /// The directory calls it when `renew` has returned false, and again when this has thrown, because it may have had its effect.
  /// Until it has returned, none of its trees answers a call; those that are not returned continue, with the fence of their
  /// claim. The default returns nil, so all trees end.
  ///
  /// - Parameters:
  ///   - owner: the owner.
  ///   - duration: the duration of the lease, from the time at which the store handles this call.
  ///   - fences: the trees of the owner with the fences of their claims. There may be tens of thousands.
  /// - Returns: the trees whose latest claim has another fence than the given one, as they are when the lease is renewed;
  ///   nil if the owner can't be revived, because a later owner has its address, or the store has forgotten it.
  func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>?

  /// Whether a record of a tree is stored. It writes nothing.
  ///
  /// The directory calls it before it opens a tree for `TreeDirectory.perform(onExisting:)`, so that a call of an unknown ID
  /// leaves nothing in the store. The default returns true; the directory then claims the tree to find out.
  func contains(_ key: TreeKey) async throws -> Bool

  /// Records the progress of the starts of claimed trees. A start whose fence is not the latest claim's has no effect.
  ///
  /// The directory calls it with many starts that have succeeded, or with one that begins or is abandoned. It is
  /// idempotent. It changes neither the record of the tree nor its version. The default does nothing.
  ///
  /// - Parameter starts: at most one for each key.
  func note(_ starts: [TreeStart]) async throws

  /// The quarantined trees of a kind, with their unfinished starts. The default returns none.
  ///
  /// The directory calls it in each round of `TreeDirectory.run()`, so it must not read all other trees.
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

  /// Nil: an owner whose lease has ended loses all its trees.
  public func revive(
    _ owner: TreeOwner, for duration: Duration, holding fences: [TreeKey: UInt64]
  ) async throws -> Set<TreeKey>? { nil }
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

/// A process, or a part of one, that writes trees. Each owner has an identity that no other owner ever had.
public struct TreeOwner: Hashable, Sendable, CustomStringConvertible {
  /// The identity of the owner: 32 random hexadecimal digits.
  public let id: String
  /// The address at which the owner is reached, such as `10.0.0.7:8080`; empty if other processes can't reach it. That of a
  /// directory names the kind of its trees, too: `10.0.0.7:8080#order`.
  public let address: String

  /// Creates an owner with a new identity.
  ///
  /// - Parameter address: the address at which it is reached. Unless the address is empty, stores end the lease of an
  ///   earlier owner with the same one, so that a restarted process finds its trees at once.
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

extension TreeOwner {
  /// Creates the owner of the trees of one kind.
  ///
  /// Its address names the kind, as in `10.0.0.7:8080#order`: the directories of a process have one address, and stores end
  /// the lease of an earlier owner with the same one.
  init(address: String, of kind: String) { self.init(address: address.isEmpty ? "" : address + "#" + kind) }

  /// The address at which the owner of a tree is reached, without the kind.
  static func address(_ address: String, of kind: String) -> String {
    address.hasSuffix("#" + kind) ? String(address.dropLast(kind.count + 1)) : address
  }
}

/// The result of `TreeStore.claim(_:by:schema:)`.
public enum TreeClaim: Hashable, Sendable {
  /// The owner is the only writer.
  ///
  /// - Parameters:
  ///   - fence: larger than the fences of all earlier claims of the tree.
  ///   - saved: the record; nil if there is none.
  case claimed(fence: UInt64, saved: SavedRecord?)
  /// Another owner has claimed the tree, and its lease has not ended.
  case elsewhere(address: String)
  /// The record was saved by a later schema of the program.
  case laterSchema(Int)
  /// The tree is quarantined, so it was not claimed. Its schema is not later, and no living owner has claimed it.
  case quarantined(UnfinishedStarts)
}

/// Consecutive starts of a tree of which none is known to have succeeded. Each may have ended its process.
public struct UnfinishedStarts: Error, Hashable, CustomStringConvertible {
  /// The number of starts. One if nothing followed a claim, when many trees may have been starting at the same time. More if
  /// the tree was then started alone.
  public let count: Int
  /// The process that began the last start, and the time, in words; empty if the start was one of many.
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

/// The progress of the start of a claimed tree; see `TreeStore.note(_:)`.
public struct TreeStart: Hashable, Sendable {
  /// The progress of a start.
  public enum State: Hashable, Sendable {
    /// The tree is about to be started alone. The value, which includes this start, replaces the stored one.
    case begins(UnfinishedStarts)
    /// The tree has started. The store deletes its unfinished starts.
    case succeeded
    /// No process starts the tree until it is retried. The store keeps its unfinished starts, and its claim ends.
    case quarantined
  }

  /// The tree.
  public let key: TreeKey
  /// The fence of the owner's claim.
  public let fence: UInt64
  /// The progress of its start.
  public let state: State

  /// Creates a description of a start.
  public init(key: TreeKey, fence: UInt64, state: State) {
    self.key = key
    self.fence = fence
    self.state = state
  }
}

/// The stored record of a tree.
public struct SavedRecord: Hashable, Sendable {
  /// The version of the record, which the owner counts.
  public let version: UInt64
  /// The schema of the program that saved it.
  public let schema: Int
  /// The document of the tree.
  public let document: [UInt8]
  /// Whether the tree was awake when it was last saved. A claim whose restore fails is released with the same value.
  public let isAwake: Bool
  /// When the tree must be woken; nil if no time was saved with it.
  public let wakes: WallTime?
  /// The starts of the tree that are not known to have succeeded; nil if the last one has.
  public let unfinishedStarts: UnfinishedStarts?

  /// Creates a record.
  public init(
    version: UInt64, schema: Int, document: [UInt8], isAwake: Bool, wakes: WallTime? = nil,
    unfinishedStarts: UnfinishedStarts? = nil
  ) {
    self.version = version
    self.schema = schema
    self.document = document
    self.isAwake = isAwake
    self.wakes = wakes
    self.unfinishedStarts = unfinishedStarts
  }
}

/// A write to a store.
public struct TreeRecord: Hashable, Sendable {
  /// What to do with the document of the tree.
  public enum Content: Hashable, Sendable {
    /// Replace it.
    case document([UInt8])
    /// Leave it unchanged, because the tree has not changed since it was claimed, or its record can't be read. If there is
    /// no record, don't create one.
    case unchanged
    /// Remove the record. The fences of later claims must still be larger.
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
  /// Whether the tree is awake, or should be: `due` finds it when no living owner has claimed it.
  public let isAwake: Bool
  /// When the tree must be woken if it sleeps then; nil for never. Replaces the stored time, also if the document is left
  /// unchanged. Ignored if the record is removed.
  public let wakes: WallTime?
  /// Whether the owner releases the tree with this save.
  public let isReleased: Bool

  /// Creates a record.
  public init(
    key: TreeKey, fence: UInt64, version: UInt64, schema: Int, content: Content, isAwake: Bool, wakes: WallTime? = nil,
    isReleased: Bool
  ) {
    self.key = key
    self.fence = fence
    self.version = version
    self.schema = schema
    self.content = content
    self.isAwake = isAwake
    self.wakes = wakes
    self.isReleased = isReleased
  }
}
