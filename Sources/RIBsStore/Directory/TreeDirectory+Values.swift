// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
internal import Synchronization

extension TreeDirectory {
  /// The saved values of a stream of the tree of an ID, also after it was passivated and is awake again.
  ///
  /// ```swift
  /// let sessions = TreeDirectory("session", in: MemoryStore()) { (id: Int) in
  ///   RootBuilder(dependency: AppComponent()).build()
  /// }
  /// for try await total in sessions.values(onExisting: 17, { root in root.interactor.totals }) { print(total) }
  /// ```
  ///
  /// The tree is opened for the first value, as by a call. Afterwards the reader does not keep it awake: the directory ends the
  /// tree when it is idle, the sequence waits, and subscribes again when a call or `run()` has opened the tree. A
  /// `BehaviorRelay` delivers its current value then, which is often that of before.
  ///
  /// Each value is delivered when all changes of the tree so far are saved, so that it survives a crash. Values of a tree that
  /// fails before are not delivered. Of values that are not read in time, the newest is kept.
  ///
  /// If several processes share the store, a tree that is followed stays awake, because another process could wake it, and this
  /// one would not notice.
  ///
  /// - Parameters:
  ///   - id: the ID of the tree.
  ///   - stream: finds the stream, from the root router.
  /// - Returns: the sequence. It ends if the tree does not exist, when it is removed, when the directory is shut down, and when
  ///   the reading task is cancelled. It throws the errors of a call that was not made (see `perform(on:)`), and `TreeElsewhere`
  ///   when another process has claimed the tree.
  public func values<Source: ObservableType & SendableMetatype>(
    onExisting id: ID, _ stream: @escaping @Sendable (Root) -> Source
  ) -> some AsyncSequence<Source.Element, any Error> & Sendable where Source.Element: Sendable {
    DirectoryValues(directory: self, key: Key(id), stream: stream)
  }

  /// Counts a new reader as a call of the tree; nil if the tree does not exist.
  fileprivate func follow(_ key: Key) async throws -> OpenTree<Root>? {
    let found: OpenTree<Root>? = if let tree = table.enterIfOpen(key) { tree } else { try await enterIfStored(key) }
    guard let tree = found else { return nil }
    do {
      if hasManyTexts { try checkText(of: key, tree) }
      return tree
    } catch {
      leave(tree, key)
      throw error
    }
  }

  /// Waits until a tree is awake again, and counts the reader as a call of it; nil if it never is.
  ///
  /// - Parameter number: that of the opening that has ended.
  fileprivate func followAgain(_ key: Key, after number: UInt64) async -> OpenTree<Root>? {
    let (found, wake) = table.update(key) { entry, _ -> (OpenTree<Root>?, Promise<OpenTree<Root>?>?) in
      if case .open(let tree)? = entry, tree.number != number {
        tree.calls.add(1, ordering: .relaxed)
        return (tree, nil)
      }
      // Read while the stripe is locked: a shutdown sets it before it ends the followers.
      guard !isEnded.load(ordering: .sequentiallyConsistent) else { return (nil, nil) }
      return state.withLock { state in
        state.followers[key, default: SleepingFollowers()].count += 1
        return (nil, state.followers[key]?.wake)
      }
    }
    guard let wake else { return found }
    do {
      return try await wake.valueUnlessCancelled()
    } catch {
      let isWaiting = state.withLock { state in
        guard let followers = state.followers[key], followers.wake === wake else { return false }
        state.followers[key]?.count -= 1
        if followers.count == 1 { state.followers[key] = nil }
        return true
      }
      // An opening has counted it.
      if !isWaiting { wake.whenSet { tree in if let tree { self.leave(tree, key) } } }
      return nil
    }
  }

  /// Ends the sequences of readers that wait until a tree is awake.
  func endFollowers() {
    let followers = state.withLock { state in
      defer { state.followers = [:] }
      return state.followers
    }
    for follower in followers.values { follower.wake.set(nil) }
  }

  /// Waits until the changes of a tree so far are saved.
  ///
  /// - Returns: false if they may be lost.
  /// - Throws: `TreeElsewhere`, or the error of the store if the lease has ended.
  fileprivate func save(_ tree: OpenTree<Root>, _ key: Key) async throws -> Bool {
    do {
      let unsaved: TreeSaver.Answer?
      do {
        unsaved = try await tree.host.performUnsaved(fileID: #fileID, line: #line) { _ in }.1
      } catch is TreeEnded {
        unsaved = await tree.host.endSaving().unsaved
      }
      if let unsaved { try await unsaved.result() } else if !isOwned(tree) { try await confirm(tree, key) }
      return true
    } catch is TreeFailure {
      return false
    } catch is SaveAbandoned {
      return false
    }
  }

  /// - Throws: `TreeElsewhere` if the tree has ended because another owner has claimed it.
  fileprivate func checkOwner(of tree: OpenTree<Root>, _ key: Key) throws {
    guard isOwned(tree) else { throw TreeElsewhere(key: treeKey(key), address: "") }
  }

  fileprivate var isShared: Bool { storage?.store.isShared ?? false }
}

/// The readers that wait until a tree is awake again.
struct SleepingFollowers<Root>: Sendable {
  /// Fulfilled with nil if the tree is gone.
  let wake = Promise<OpenTree<Root>?>()
  var count = 0
}

private struct DirectoryValues<ID, Root, Source>: AsyncSequence, Sendable
where
  ID: Hashable & Sendable & LosslessStringConvertible, Source: ObservableType & SendableMetatype,
  Source.Element: Sendable
{
  let directory: TreeDirectory<ID, Root>
  let key: DirectoryTable<ID, Root>.Key
  let stream: @Sendable (Root) -> Source

  func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  struct Iterator: AsyncIteratorProtocol {
    private enum State {
      case new, ended
      /// - Parameter after: the number of the opening that has ended.
      case asleep(after: UInt64)
      case awake(OpenTree<Root>, AsyncStream<Source.Element>.Iterator)
    }

    private let values: DirectoryValues
    private var state = State.new

    init(values: DirectoryValues) { self.values = values }

    mutating func next() async throws -> Source.Element? {
      let (directory, key) = (values.directory, values.key)
      while !Task.isCancelled {
        switch state {
        case .new: await begin(try await directory.follow(key))
        case .asleep(let number): await begin(await directory.followAgain(key, after: number))
        case .awake(let tree, var iterator):
          if let value = await iterator.next() {
            state = .awake(tree, iterator)
            if try await directory.save(tree, key) { return value }
          } else if (try? await tree.host.perform { _ in }) != nil {
            // The stream has completed.
            state = .ended
          } else {
            try directory.checkOwner(of: tree, key)
            state = .asleep(after: tree.number)
          }
        case .ended: return nil
        }
      }
      return nil
    }

    private mutating func begin(_ tree: OpenTree<Root>?) async {
      guard let tree else { return state = .ended }
      let directory = values.directory
      defer { directory.leave(tree, values.key) }
      let stream = await tree.host.subscription(keepsAwake: directory.isShared, values.stream)
      state = .awake(tree, stream.makeAsyncIterator())
    }
  }
}
