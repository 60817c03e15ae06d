internal import Foundation
public import RIBs

/// Looks at the trees of another process, or of this one.
///
/// ```swift
/// let processes = try InspectedProcess.all()
/// for process in processes {
///   let client = InspectorClient(process)
///   for tree in try await client.trees() {
///     print(try await client.snapshot(of: tree.id).text())
///   }
/// }
/// ```
///
/// Each call has a connection of its own, and waits on a thread of its own. Cancelling the calling task ends the wait.
public struct InspectorClient: Sendable {
  /// Where the inspector answers.
  public let socketPath: String
  /// How many seconds to wait for each piece of an answer.
  public let patience: Int

  /// Creates a client. It connects when it is asked for something.
  ///
  /// - Parameters:
  ///   - process: the process to look at.
  ///   - patience: how many seconds to wait for each piece of an answer. A snapshot is taken when the tree's actor has time.
  public init(_ process: InspectedProcess, patience: Int = 10) {
    self.init(socketPath: process.socketPath, patience: patience)
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - socketPath: where the inspector answers.
  ///   - patience: how many seconds to wait for each piece of an answer.
  public init(socketPath: String, patience: Int = 10) {
    self.socketPath = socketPath
    self.patience = patience
  }

  /// The trees that the process shows, the oldest first.
  ///
  /// - Throws: an `InspectorError`.
  public func trees() async throws(InspectorError) -> [InspectedTree] {
    let (_, answer) = try await ask(InspectorRequest(request: .trees))
    guard let trees = answer.trees else { throw .misunderstood }
    return trees
  }

  /// A tree as it stands.
  ///
  /// - Parameter tree: the tree's id.
  /// - Throws: an `InspectorError`, also if there is no such tree any more.
  public func snapshot(of tree: InspectedTree.ID) async throws(InspectorError) -> TreeSnapshot {
    let (_, answer) = try await ask(InspectorRequest(request: .snapshot, tree: tree))
    guard let snapshot = answer.snapshot else { throw .misunderstood }
    return snapshot
  }

  /// What happens in a tree, or in all of them.
  ///
  /// When this returns, the process has begun to tell. Of several trees, each begins when its actor has time.
  ///
  /// - Parameters:
  ///   - tree: the tree's id; nil for all trees, also those that are launched later.
  ///   - replay: whether those events come first that happened before and are still known, at most 1,000.
  /// - Returns: the events, to be iterated once. A client that reads too slowly loses the
  ///   oldest ones, gets their number as `lost`, and stays connected.
  /// - Throws: an `InspectorError`, also if there is no such tree any more.
  public func events(
    of tree: InspectedTree.ID? = nil, replay: Bool = false
  ) async throws(InspectorError) -> InspectedEvents {
    let (connection, answer) = try await ask(InspectorRequest(request: .events, tree: tree, replay: replay))
    guard answer.answer == .following else { throw .misunderstood }
    await connection.wait(atMost: nil)
    return InspectedEvents(connection: connection)
  }

  private func ask(_ request: InspectorRequest) async throws(InspectorError) -> (LineConnection, InspectorAnswer) {
    let connection = try LineConnection(to: socketPath)
    await connection.wait(atMost: patience)
    try await connection.open()
    try await connection.send(request.line)
    guard let answer = try await connection.answer() else {
      throw InspectorError(.noAnswer, "The process has ended, or has closed the connection.")
    }
    if answer.answer == .error { throw InspectorError(.refused, answer.message ?? "The process gives no reason.") }
    return (connection, answer)
  }
}

extension InspectorError {
  fileprivate static var misunderstood: InspectorError {
    InspectorError(.answer, "The process answers something else than it was asked; it may use another version of RIBs.")
  }
}

extension LineConnection {
  /// The next answer; nil if no more come, or the calling task is cancelled.
  nonisolated func answer() async throws(InspectorError) -> InspectorAnswer? {
    let line: Result<Data?, InspectorError> = await withTaskCancellationHandler {
      do throws(InspectorError) { return .success(try await next()) } catch { return .failure(error) }
    } onCancel: {
      cancel()
    }
    guard let line = try line.get() else { return nil }
    do {
      return try JSONDecoder().decode(InspectorAnswer.self, from: line)
    } catch {
      throw InspectorError(.answer, "The process answers something that is not understood: \(error)")
    }
  }
}
