// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// The snapshots of the trees of another process, oldest tree first.
///
/// Iterate it once. It ends after the last tree, or when the iterating task is cancelled.
public struct InspectedSnapshots: AsyncSequence, Sendable {
  /// A tree, with its snapshot or the reason why there is none.
  public struct Element: Sendable {
    /// The tree.
    public let tree: InspectedTree.ID
    /// The snapshot; nil if the tree has not answered within the timeout.
    public let snapshot: TreeSnapshot?
    /// Why there is no snapshot; nil if there is one.
    public let problem: String?
    /// The snapshot with what a `TreeFold` needs; nil from a process with an older version, or without a snapshot.
    public let keyframe: InspectedKeyframe?

    init(_ tree: InspectedTree.ID, _ snapshot: TreeSnapshot, _ keyframe: InspectedKeyframe? = nil) {
      self.tree = tree
      self.snapshot = snapshot
      self.keyframe = keyframe
      problem = nil
    }

    init(_ tree: InspectedTree.ID, _ problem: String) {
      self.tree = tree
      snapshot = nil
      keyframe = nil
      self.problem = problem
    }
  }

  let client: InspectorClient
  let connection: LineConnection

  public func makeAsyncIterator() -> Iterator { Iterator(client: client, source: .stream(connection)) }

  /// Returns the snapshots one by one.
  public struct Iterator: AsyncIteratorProtocol {
    enum Source {
      case stream(LineConnection)
      /// A process that does not know the request: the trees to request one by one, the next one last.
      case single([InspectedTree.ID])
    }

    let client: InspectorClient
    var source: Source
    /// Whether an answer has arrived.
    private var hasBegun = false

    init(client: InspectorClient, source: Source) {
      self.client = client
      self.source = source
    }

    /// The next snapshot; nil after the last one.
    ///
    /// - Throws: an `InspectorError` if the process ends, refuses, or sends what can't be decoded.
    public mutating func next() async throws(InspectorError) -> Element? {
      while !Task.isCancelled {
        guard case .stream(let connection) = source else { return try await nextSingle() }
        guard let answer = try await connection.answer() else {
          if Task.isCancelled { return nil }
          throw InspectorError(.noAnswer, "The process has ended, or has closed the connection.")
        }
        switch (answer.answer, answer.tree) {
        case (.complete, _): return nil
        case (.snapshot, let tree?):
          guard let snapshot = answer.snapshot else { throw .misunderstood }
          hasBegun = true
          return Element(tree, snapshot, answer.keyframe?.keyframe(of: tree, snapshot))
        case (.error, let tree?):
          hasBegun = true
          return Element(tree, answer.message ?? "The process gives no reason.")
        case (.error, nil) where !hasBegun:
          // The process is older than the request, or refuses clients, which the next request will show.
          source = .single(try await client.trees().map(\.id).reversed())
        default: throw .misunderstood
        }
      }
      return nil
    }

    private mutating func nextSingle() async throws(InspectorError) -> Element? {
      while case .single(var rest) = source, let tree = rest.popLast() {
        source = .single(rest)
        do throws(InspectorError) {
          let snapshot = try await client.snapshot(of: tree)
          return Element(tree, snapshot)
        } catch {
          // The tree has ended meanwhile.
          if error.kind == .refused { continue }
          return Element(tree, error.description)
        }
      }
      return nil
    }
  }
}
