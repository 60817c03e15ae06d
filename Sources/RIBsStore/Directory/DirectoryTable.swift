// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
public import Synchronization

/// The trees of a directory by ID, in stripes with a lock each, so that calls of different trees rarely meet.
@usableFromInline
struct DirectoryTable<ID: Hashable & Sendable, Root>: Sendable {
  /// What the directory has for an ID. Without an entry, the tree sleeps, or does not exist.
  @usableFromInline
  enum Entry: Sendable {
    /// A task opens the tree.
    case opening(Opening<Root>)
    /// The tree is awake.
    case open(OpenTree<Root>)
    /// A task saves and ends the tree if it is idle, or removes it. The tree is nil if it was not awake.
    case closing(Closing, OpenTree<Root>?)
    /// The tree is no longer opened, because of an error.
    case quarantined(any Error)

    /// The tree if it is awake, also while a task checks whether it is idle.
    var awakeTree: OpenTree<Root>? {
      switch self {
      case .open(let tree): tree
      case .closing(let closed, let tree?) where closed.isForIdleTree && tree.host.isActive: tree
      case .opening, .closing, .quarantined: nil
      }
    }

    /// Whether the quarantine is one of the store, for all processes.
    var isQuarantinedInStore: Bool { if case .quarantined(is UnfinishedStarts) = self { true } else { false } }
  }

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var entries: [Key: Entry] = [:]
    /// How often in a row trees have failed soon after they were opened. Without an entry, never.
    var failures: [Key: Int] = [:]

    init() {}
  }

  @usableFromInline
  final class Stripe: Sendable {
    @usableFromInline let contents = Locked(Contents())

    init() {}
  }

  /// An ID with its hash value, which selects the stripe and is not computed again by the dictionary.
  @usableFromInline
  struct Key: Hashable, Sendable {
    @usableFromInline let id: ID
    @usableFromInline let hash: Int

    @inlinable
    init(_ id: ID) {
      self.id = id
      hash = id.hashValue
    }

    @inlinable
    static func == (a: Key, b: Key) -> Bool { a.hash == b.hash && a.id == b.id }

    @inlinable
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  @usableFromInline let stripes: [Stripe] = (0..<16).map { _ in Stripe() }
  /// The maximum number of calls that use or wait for one tree.
  @usableFromInline let callLimit: Int

  init(callLimit: Int) { self.callLimit = callLimit }

  @inlinable
  func stripe(of key: Key) -> Stripe { stripes[key.hash & 15] }

  /// Counts a call of a tree that is awake.
  ///
  /// - Returns: nil if the tree is not awake, or too many calls use it.
  // Not inlined, so that the lock can be.
  @inlinable
  @inline(never)
  func enterIfOpen(_ key: Key) -> OpenTree<Root>? {
    stripe(of: key).contents.withLockInlined { contents in
      guard case .open(let tree)? = contents.entries[key], tree.calls.load(ordering: .relaxed) < callLimit else {
        return nil
      }
      tree.calls.add(1, ordering: .relaxed)
      return tree
    }
  }

  /// A tree that is awake, without counting a call; nil if it is not.
  func awakeTree(_ key: Key) -> OpenTree<Root>? {
    stripe(of: key).contents.withLock { $0.entries[key]?.awakeTree }
  }

  /// Changes what the table has for an ID.
  func update<Result: Sendable>(
    _ key: Key, _ change: (_ entry: inout Entry?, _ failures: inout Int) throws -> Result
  ) rethrows -> Result {
    try stripe(of: key).contents.withLock { contents in
      // Taken out and put back, so that the entry is not copied while it is changed.
      var entry = contents.entries.removeValue(forKey: key)
      var failures = contents.failures.removeValue(forKey: key) ?? 0
      defer {
        if let entry { contents.entries[key] = entry }
        if failures > 0 { contents.failures[key] = failures }
      }
      return try change(&entry, &failures)
    }
  }

  /// Changes a tree from open to closing.
  ///
  /// - Parameters:
  ///   - number: the number of the tree's opening.
  ///   - isUnused: whether the tree must not be used by a call.
  /// - Returns: the tree, and the promise to fulfill when the entry has changed again; nil if the tree is no longer open,
  ///   or is used.
  func beginClosing(
    _ key: Key, _ number: UInt64, ifUnused isUnused: Bool
  ) -> (tree: OpenTree<Root>, closed: Closing)? {
    update(key) { entry, _ in
      guard case .open(let tree)? = entry, tree.number == number else { return nil }
      guard !isUnused || tree.calls.load(ordering: .acquiring) == 0 else { return nil }
      let closed = Closing(isForIdleTree: isUnused)
      entry = .closing(closed, tree)
      return (tree, closed)
    }
  }

  /// All entries, stripe by stripe.
  var entries: [(key: Key, entry: Entry)] {
    stripes.flatMap { stripe in stripe.contents.withLock { contents in contents.entries.map { ($0.key, $0.value) } } }
  }
}

/// The opening of a tree, and the calls that wait for it.
@usableFromInline
final class Opening<Root>: Sendable {
  let result = Promise<Result<OpenTree<Root>, any Error>>()
  /// The number of calls that wait. Each counts as a call of the tree as soon as it is open. Changed while the table is
  /// locked.
  let waiters: Atomic<Int>
  let purpose: OpeningPurpose

  init(waiters: Int, for purpose: OpeningPurpose) {
    self.waiters = Atomic(waiters)
    self.purpose = purpose
  }
}

/// The end of a tree, and the calls that wait for it.
@usableFromInline
final class Closing: Sendable {
  /// Fulfilled when the entry of the tree has changed again.
  let end = Promise<Void>()
  /// The number of calls that wait. Increased while the table is locked.
  let waiters = Atomic(0)
  /// Whether the tree is open again if it turns out not to be idle.
  let isForIdleTree: Bool

  init(isForIdleTree: Bool = false) { self.isForIdleTree = isForIdleTree }
}

/// Why a tree is opened.
enum OpeningPurpose: Sendable {
  /// For a call, which builds a tree that does not exist. Nothing else does, because the tree may have been removed.
  case call
  /// For a call of a tree that must exist.
  case callIfStored
  /// The store says that the tree must be awake. If the opening fails, `TreeDirectory.run()` tries again.
  case due
  /// The tree has failed, was retried, or an opening has. If this one fails, `TreeDirectory.run()` tries again.
  case reopening

  /// Whether `TreeDirectory.run()` opens the tree.
  var isRecovery: Bool {
    switch self {
    case .call, .callIfStored: false
    case .due, .reopening: true
    }
  }
}

/// The error of an opening for a tree that must exist, and does not.
struct TreeAbsent: Error {
}
