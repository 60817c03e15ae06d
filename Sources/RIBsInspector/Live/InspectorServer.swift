internal import Dispatch
internal import Foundation
internal import RIBs

/// PendingResponses the clients of an inspector. It runs on a thread of its own, and waits for nothing there but for sockets.
actor InspectorServer {
  /// What is waited for under this number is not a client, but the socket that they come to.
  private static let listening = 0

  /// The clients that wait for a snapshot of a tree, of which one is taken at a time.
  private struct SnapshotRequests {
    /// They get the snapshot that is being taken.
    var current: Set<Int>
    /// They came later, and get the next one.
    var next: Set<Int> = []
  }

  nonisolated let registry: TreeRegistry
  private nonisolated let loop: SocketLoop
  private let socket: Int32
  private let limits: InspectorLimits
  private let signals: (any DispatchSourceSignal)?
  /// When connections are accepted again, after one could not be.
  private var acceptsAgain: ContinuousClock.Instant?
  private var clients: [Int: Connection] = [:]
  private var lastClient = 0
  private var snapshots: [InspectedTree.ID: SnapshotRequests] = [:]
  private var encoder = EventEncoder()
  /// When events are read again.
  private var restsUntil = ContinuousClock.now
  /// What becomes of the signal that asks for all trees.
  private enum Dump {
    case idle, writing
    /// The signal came while the trees were being written: they are written once more.
    case writingBeforeAnother
  }
  private var dumping = Dump.idle
  private var hasStopped = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Begins to answer. When this returns, the signal does no harm any more.
  ///
  /// - Parameter socket: where clients come to; closed when the server stops, or can't be made.
  init(socket: Int32, recordsAll: Bool, dumpsOnSignal: Bool, limits: InspectorLimits) throws(InspectorError) {
    do {
      loop = try SocketLoop()
    } catch {
      close(socket)
      throw error
    }
    self.socket = socket
    self.limits = limits
    registry = TreeRegistry(recordsAll: recordsAll, wakeReader: { [loop] in loop.wake() })
    let signals = dumpsOnSignal ? DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global()) : nil
    self.signals = signals
    loop.start { [weak self] ready in self?.assumeIsolated { $0.turn(ready) } ?? SocketLoop.Wait() }
    guard let signals else { return }
    // Otherwise the signal ends the process.
    signal(SIGUSR1, SIG_IGN)
    signals.setEventHandler { [weak self] in self?.later { $0.dump() } }
    signals.activate()
  }

  deinit { loop.finish() }

  /// Does something on the thread, after all that was to be done before. What calls it is bounded: there is one snapshot a
  /// tree, one dump and one end.
  nonisolated func later(_ body: @escaping @Sendable (isolated InspectorServer) -> Void) {
    loop.later { [weak self] in self?.assumeIsolated(body) }
  }

  func stop() {
    guard !hasStopped else { return }
    hasStopped = true
    close(socket)
    signals?.cancel()
    for id in clients.keys { drop(id) }
    snapshots = [:]
    encoder.clear()
  }

  // MARK: Clients

  /// Continues with the sockets that are ready, and with the events that have been recorded.
  ///
  /// - Returns: what to wait for.
  private func turn(_ ready: [SocketLoop.Interest]) -> SocketLoop.Wait {
    for socket in ready {
      if socket.id == InspectorServer.listening {
        accept()
      } else if let connection = clients[socket.id] {
        if socket.reading { connection.read() } else if socket.hasHungUp { connection.hangUp() }
        advance(socket.id)
      }
    }
    guard !hasStopped else { return SocketLoop.Wait() }
    var wait = SocketLoop.Wait()
    beginFollowing()
    sendEvents(&wait)
    dropStalled(&wait)
    wait.interests = clients.map { id, connection in
      SocketLoop.Interest(
        id: id, socket: connection.socket, reading: connection.wantsInput, writing: connection.needsRoom)
    }
    if let instant = acceptsAgain, instant > .now {
      wait.atMost(until: instant)
    } else {
      acceptsAgain = nil
      wait.interests.append(
        SocketLoop.Interest(id: InspectorServer.listening, socket: socket, reading: true, writing: false))
    }
    return wait
  }

  private func accept() {
    while !hasStopped {
      let accepted = SystemCalls.accept(at: socket)
      guard accepted >= 0 else {
        // Without a free descriptor this would be called again and again.
        if !SystemCalls.wouldBlock, errno != ECONNABORTED { acceptsAgain = .now + .seconds(1) }
        return
      }
      let connection = Connection(accepted)
      if let refusal = makeRoom(for: accepted) {
        connection.end(InspectorAnswer.error(refusal).line)
        connection.flush()
        close(accepted)
        continue
      }
      lastClient += 1
      clients[lastClient] = connection
    }
  }

  /// Disconnects idle clients, the one that has been idle for longest first, until there is room for another client.
  ///
  /// - Parameter descriptor: the other client's.
  /// - Returns: why there is no room; nil if there is.
  private func makeRoom(for descriptor: Int32) -> String? {
    while true {
      let isFull = clients.count >= limits.clients
      guard isFull || !SystemCalls.hasReserve(after: descriptor) else { return nil }
      guard let victim = longestIdle else {
        return isFull
          ? "There are \(clients.count) clients already."
          : "The process has no file descriptor to spare for another client."
      }
      drop(victim)
    }
  }

  /// The client that can go when another one comes: it has not sent a whole request, or does not read the answer.
  private var longestIdle: Int? {
    let candidates = clients.filter { _, connection in
      guard !connection.isFollower else { return false }
      return connection.isIdle || connection.stalledSince.map { .now - $0 >= limits.stall } ?? false
    }
    return candidates.min { $0.value.lastProgress < $1.value.lastProgress }?.key
  }

  /// Continues with a client as far as possible without waiting.
  private func advance(_ id: Int) {
    guard let connection = clients[id] else { return }
    connection.flush()
    while let line = connection.nextLine() {
      handle(line, of: connection, id)
      connection.flush()
    }
    // What still waits is sent when there is room, and the next request is handled after it.
    if connection.isOver { drop(id) }
  }

  /// Disconnects clients that read nothing for a while of what waits for them.
  private func dropStalled(_ wait: inout SocketLoop.Wait) {
    for (id, connection) in clients {
      guard let instant = connection.stalledSince.map({ $0 + limits.patience }) else { continue }
      if instant <= .now { drop(id) } else { wait.atMost(until: instant) }
    }
  }

  private func drop(_ id: Int) {
    guard let connection = clients.removeValue(forKey: id) else { return }
    close(connection.socket)
    for tree in snapshots.keys {
      snapshots[tree]?.current.remove(id)
      snapshots[tree]?.next.remove(id)
    }
    guard let tree = connection.followed else { return }
    registry.unfollow(tree.id)
    if !clients.values.contains(where: { $0.followed != nil }) { encoder.clear() }
  }

  // MARK: Events

  /// PendingResponses the clients whose trees have begun to report their events.
  private func beginFollowing() {
    for (id, connection) in clients {
      guard case .subscribing(let tree, let replay) = connection.stage else { continue }
      guard let cursor = registry.cursor(tree, replay: replay) else { continue }
      connection.follow(cursor)
      advance(id)
    }
  }

  /// Sends events to the clients that have read all before, a batch to each, and then rests for so long that events don't
  /// take more than their share of a processor.
  private func sendEvents(_ wait: inout SocketLoop.Wait) {
    let readers = clients.filter { _, connection in
      if case .following = connection.stage { !connection.needsRoom } else { false }
    }
    guard !readers.isEmpty else { return }
    guard restsUntil <= .now else { return wait.atMost(until: restsUntil) }
    let before = SystemCalls.threadTime
    /// Where the readers are that have read all events.
    var ends: [Int] = []
    var hasMore = false
    for (id, connection) in readers {
      guard case .following(var cursor) = connection.stage else { continue }
      let isAtEnd = sendEvents(to: connection, from: &cursor)
      advance(id)
      guard clients[id] != nil, !connection.needsRoom else { continue }
      if isAtEnd { ends.append(cursor.position) } else { hasMore = true }
    }
    let time = SystemCalls.threadTime - before
    restsUntil = .now + time * (1 / limits.eventShare - 1)
    if let end = ends.min(), !registry.mayWait(at: end) { hasMore = true }
    if hasMore { wait.atMost(until: restsUntil) }
  }

  /// - Returns: whether the client has been sent all that there is.
  private func sendEvents(to connection: Connection, from cursor: inout EventCursor) -> Bool {
    let reading = registry.read(&cursor)
    var lines: [UInt8] = []
    if reading.lost > 0 { lines += InspectorAnswer.lost(reading.lost).line }
    for (position, event) in reading.events { encoder.append(event, at: position, to: &lines) }
    if reading.lostAtEnd > 0 { lines += InspectorAnswer.lost(reading.lostAtEnd).line }
    connection.send(Data(lines), upTo: cursor)
    if reading.hasEnded, let tree = cursor.tree { connection.end(InspectorAnswer.ended(tree).line) }
    return reading.isAtEnd
  }

  // MARK: Requests

  private func handle(_ line: Data, of connection: Connection, _ id: Int) {
    let request: InspectorRequest
    do {
      request = try InspectorRequest(line: line)
    } catch {
      return connection.answer(InspectorAnswer.error(error.description).line)
    }
    switch request.request {
    case .trees:
      var answer = InspectorAnswer(.trees)
      answer.process = ProcessInfo.processInfo.processIdentifier
      answer.name = ProcessInfo.processInfo.processName
      answer.trees = registry.entries.map { entry in
        InspectedTree(id: entry.id, name: entry.tree.name, age: (ContinuousClock.now - entry.since) / .seconds(1))
      }
      connection.answer(answer.line)
    case .snapshot:
      guard let tree = request.tree else {
        return connection.answer(InspectorAnswer.error("Say which tree: {\"request\":\"snapshot\",\"tree\":1}.").line)
      }
      guard let shown = registry.tree(tree) else { return connection.answer(unknown(tree)) }
      if snapshots[tree] != nil {
        snapshots[tree]?.next.insert(id)
      } else {
        snapshots[tree] = SnapshotRequests(current: [id])
        takeSnapshot(of: shown, tree)
      }
    case .events:
      follow(request.tree, replay: request.replay == true ? EventRing.replayed : 0, connection)
    }
  }

  private func follow(_ tree: InspectedTree.ID?, replay: Int, _ connection: Connection) {
    guard clients.values.count(where: \.isFollower) < limits.followers else {
      return connection.answer(InspectorAnswer.error("\(limits.followers) clients follow events already.").line)
    }
    guard registry.follow(tree) else { return connection.answer(tree.map(unknown) ?? Data()) }
    connection.followed = Connection.Followed(id: tree)
    if let tree {
      registry.subscribe(to: tree)
      connection.subscribe(to: tree, replay: replay)
    } else {
      for entry in registry.entries { registry.subscribe(to: entry.id) }
      if let cursor = registry.cursor(nil, replay: replay) { connection.follow(cursor) }
    }
  }

  private func unknown(_ tree: InspectedTree.ID) -> Data {
    let known = registry.entries.prefix(20).map { String($0.id) }.joined(separator: ", ")
    return InspectorAnswer.error(
      "There is no tree \(tree). \(known.isEmpty ? "There are none." : "There are: \(known).")"
    ).line
  }

  /// Takes a snapshot where the tree runs, and encodes it away from there and from this thread.
  private func takeSnapshot(of tree: TreeHandle, _ number: InspectedTree.ID) {
    Task.detached { [weak self] in
      let line: Data
      if let snapshot = await tree.snapshot() {
        line = InspectorAnswer.line(with: snapshot, of: number)
      } else {
        line = InspectorAnswer.error("Tree \(number) has ended.").line
      }
      self?.later { server in server.answerSnapshot(line, of: tree, number) }
    }
  }

  private func answerSnapshot(_ line: Data, of tree: TreeHandle, _ number: InspectedTree.ID) {
    guard let requests = snapshots.removeValue(forKey: number) else { return }
    if !requests.next.isEmpty {
      snapshots[number] = SnapshotRequests(current: requests.next)
      takeSnapshot(of: tree, number)
    }
    for id in requests.current {
      clients[id]?.answer(line)
      advance(id)
    }
  }

  // MARK: Signals

  /// Writes all trees to standard error. While that is being done, it remembers one further request.
  private func dump() {
    guard !hasStopped else { return }
    guard dumping == .idle else {
      dumping = .writingBeforeAnother
      return
    }
    dumping = .writing
    let (process, entries) = (ProcessInfo.processInfo, registry.entries)
    let title = "RIBs: \(process.processName) (\(process.processIdentifier)), \(entries.count.counted("tree"))\n"
    Task.detached { [weak self] in
      // One tree after the other, so that no more than one is held in memory.
      await InspectorServer.writeToStandardError(title)
      for entry in entries {
        guard let snapshot = await entry.tree.snapshot() else { continue }
        await InspectorServer.writeToStandardError("Tree \(entry.id)\n\(snapshot.text())")
      }
      self?.later { $0.dumpAgainIfRequested() }
    }
  }

  private func dumpAgainIfRequested() {
    let isRequested = dumping == .writingBeforeAnother
    dumping = .idle
    if isRequested { dump() }
  }

  /// Writes a text on a thread that may block: the reader of standard error may be slow, and may have gone.
  private nonisolated static func writeToStandardError(_ text: String) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        SystemCalls.writeAll(Array(text.utf8), to: STDERR_FILENO)
        continuation.resume()
      }
    }
  }
}

extension InspectorRequest {
  /// Reads a request.
  ///
  /// - Throws: an error that says to the client what is wrong.
  fileprivate init(line: Data) throws(InspectorError) {
    guard let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] else {
      throw InspectorError(.refused, "A request is an object in JSON on one line.")
    }
    guard object["version"] as? Int ?? InspectorRequest.version == InspectorRequest.version else {
      throw InspectorError(.refused, "Version \(InspectorRequest.version) is spoken here.")
    }
    guard let name = object["request"] as? String, let kind = Kind(rawValue: name) else {
      let kinds = Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw InspectorError(.refused, "A request has a field \"request\" with one of \(kinds).")
    }
    self.init(request: kind)
    if let tree = object["tree"] {
      guard let tree = tree as? Int else { throw InspectorError(.refused, "The field \"tree\" is a number.") }
      self.tree = tree
    }
    if let replay = object["replay"] {
      guard let replay = replay as? Bool else {
        throw InspectorError(.refused, "The field \"replay\" is true or false.")
      }
      self.replay = replay
    }
  }
}
