// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

/// Reads the trees of another process, or of this one.
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
/// Each call opens its own connection and waits on its own thread. Cancelling the calling task ends the wait.
public struct InspectorClient: Sendable {
  /// The path of the inspector's socket.
  public let socketPath: String
  /// The timeout for each read and write of an answer, in seconds: from one second to a hundred years.
  public let timeout: Int

  /// Creates a client. It connects on each call.
  ///
  /// - Parameters:
  ///   - process: the process to read from.
  ///   - timeout: the timeout for each read and write, in seconds. A snapshot is taken when the tree's actor is
  ///     free.
  public init(_ process: InspectedProcess, timeout: Int = 10) {
    self.init(socketPath: process.socketPath, timeout: timeout)
  }

  /// Creates a client for a socket.
  ///
  /// - Parameters:
  ///   - socketPath: the path of the inspector's socket.
  ///   - timeout: the timeout for each read and write, in seconds.
  public init(socketPath: String, timeout: Int = 10) {
    self.socketPath = socketPath
    self.timeout = min(max(timeout, 1), Int(Duration.longest / .seconds(1)))
  }

  /// The trees that the process shows, oldest first.
  ///
  /// - Throws: an `InspectorError`.
  public func trees() async throws(InspectorError) -> [InspectedTree] {
    let (_, answer) = try await ask(InspectorRequest(request: .trees))
    guard let trees = answer.trees else { throw .misunderstood }
    return trees
  }

  /// The process that answers.
  func process() async throws(InspectorError) -> (id: Int32, name: String) {
    let (_, answer) = try await ask(InspectorRequest(request: .trees))
    guard let id = answer.process, let name = answer.name else { throw .misunderstood }
    return (id, name)
  }

  /// Takes a snapshot of a tree.
  ///
  /// - Parameter tree: the tree's id.
  /// - Throws: an `InspectorError`, including when there is no such tree.
  public func snapshot(of tree: InspectedTree.ID) async throws(InspectorError) -> TreeSnapshot {
    let answer = try await askForSnapshot(of: tree)
    guard let snapshot = answer.snapshot else { throw .misunderstood }
    return snapshot
  }

  /// Takes a snapshot of each tree, one after another, in one request.
  ///
  /// Much faster than a request for each tree, if there are many. One snapshot is in memory at a time, in this process
  /// and in the other one. Trees that end meanwhile are skipped.
  ///
  /// - Returns: the snapshots, to be iterated once.
  /// - Throws: an `InspectorError`.
  public func snapshots() async throws(InspectorError) -> InspectedSnapshots {
    let connection = try await connect(InspectorRequest(request: .snapshots, timeout: timeout))
    // The process answers in place of a tree that does not answer within the timeout.
    await connection.wait(atMost: timeout + 5)
    return InspectedSnapshots(client: self, connection: connection)
  }

  /// Takes a snapshot of a tree, from which its events can be folded. Follow the events first, so that none is missing.
  ///
  /// - Parameter tree: the tree's id.
  /// - Throws: an `InspectorError`, including when there is no such tree.
  public func keyframe(of tree: InspectedTree.ID) async throws(InspectorError) -> InspectedKeyframe {
    let answer = try await askForSnapshot(of: tree)
    guard let snapshot = answer.snapshot, let keyframe = answer.keyframe else { throw .misunderstood }
    return keyframe.keyframe(of: tree, snapshot)
  }

  /// Follows the events of one tree, or of all trees.
  ///
  /// The process reports events from the time this method returns. With several trees, each starts when its actor is
  /// free.
  ///
  /// - Parameters:
  ///   - tree: the tree's id; nil for all trees, including those launched later.
  ///   - replay: whether to start with the recorded events, at most 1,000.
  /// - Returns: the events, to be iterated once. A client that reads too slowly loses the oldest events, receives
  ///   their number as `lost`, and stays connected.
  /// - Throws: an `InspectorError`, including when there is no such tree.
  public func events(
    of tree: InspectedTree.ID? = nil, replay: Bool = false
  ) async throws(InspectorError) -> InspectedEvents {
    let (connection, answer) = try await ask(InspectorRequest(request: .events, tree: tree, replay: replay))
    guard answer.answer == .following else { throw .misunderstood }
    await connection.wait(atMost: nil)
    return InspectedEvents(connection: connection)
  }

  /// The answer with a snapshot.
  ///
  /// The process answers in place of a tree that does not within the timeout, with what the tree runs.
  private func askForSnapshot(of tree: InspectedTree.ID) async throws(InspectorError) -> InspectorAnswer {
    let (_, answer) = try await ask(
      InspectorRequest(request: .snapshot, tree: tree, timeout: min(timeout, 86_400)), waiting: timeout + 5)
    return answer
  }

  private func ask(
    _ request: InspectorRequest, waiting seconds: Int? = nil
  ) async throws(InspectorError) -> (LineConnection, InspectorAnswer) {
    let connection = try await connect(request)
    if let seconds { await connection.wait(atMost: seconds) }
    guard let answer = try await connection.answer() else {
      throw InspectorError(.noAnswer, "The process has ended, or has closed the connection.")
    }
    if answer.answer == .error, answer.tree != nil {
      throw InspectorError(.noAnswer, answer.message ?? "The tree does not answer.")
    }
    if answer.answer == .error { throw InspectorError(.refused, answer.message ?? "The process gives no reason.") }
    return (connection, answer)
  }

  /// Sends a request on a new connection.
  private func connect(_ request: InspectorRequest) async throws(InspectorError) -> LineConnection {
    let connection = try LineConnection(to: socketPath)
    await connection.wait(atMost: timeout)
    try await connection.open()
    try await connection.send(request.line)
    return connection
  }
}

extension InspectorError {
  static var misunderstood: InspectorError {
    InspectorError(.answer, "The answer does not match the request; the process may use another version of RIBs.")
  }
}

extension LineConnection {
  /// The next answer; nil after the last one, or if the calling task is cancelled.
  nonisolated func answer() async throws(InspectorError) -> InspectorAnswer? {
    let line: Result<Data?, InspectorError> = await withTaskCancellationHandler {
      do throws(InspectorError) { return .success(try await next()) } catch { return .failure(error) }
    } onCancel: {
      cancel()
    }
    guard let line = try line.get() else { return nil }
    let answer: InspectorAnswer
    do {
      answer = try JSONDecoder().decode(InspectorAnswer.self, from: line)
    } catch {
      throw InspectorError(.answer, "The answer of the process can't be decoded: \(error)")
    }
    guard answer.isPlausible else {
      throw InspectorError(.answer, "The answer of the process has numbers that no tree can have.")
    }
    return answer
  }
}
