// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Answers the clients of an inspector, on its own thread, which blocks only to wait for sockets.
actor InspectorServer {
  /// The interest id of the listening socket.
  private static let listening = 0

  /// The clients that wait for a snapshot of a tree. One snapshot per tree is taken at a time.
  private struct SnapshotRequests {
    /// Clients that receive the snapshot being taken.
    var current: Set<Int>
    /// Clients that came later and receive the next one.
    var next: Set<Int> = []
  }

  nonisolated let registry: TreeRegistry
  private nonisolated let loop: SocketLoop
  private let socket: Int32
  private let limits: InspectorLimits
  /// When to accept connections again after a failure.
  private var acceptsAgain: ContinuousClock.Instant?
  private var clients: [Int: Connection] = [:]
  private var lastClient = 0
  /// The names of the trees in the last list. Making a name takes longer than the rest of its line.
  private var treeNames: [InspectedTree.ID: String] = [:]
  /// The clients that receive the snapshots of all trees.
  private var tours: [Int: SnapshotTour] = [:]
  /// The clients that wait for one snapshot, and until when.
  private var waiting: [Int: (tree: InspectedTree.ID, deadline: ContinuousClock.Instant)] = [:]
  private var snapshots: [InspectedTree.ID: SnapshotRequests] = [:]
  private var encoder = EventEncoder()
  /// When the next batch of events may be read.
  private var pausedUntil = ContinuousClock.now
  /// The state of the dump that `SIGUSR1` requests.
  private enum Dump {
    case idle, writing
    /// The signal came while the trees were being written; they are written once more.
    case writingBeforeAnother
  }
  private var dumping = Dump.idle
  private var hasStopped = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Starts to answer. When the initializer returns, `SIGUSR1` no longer ends the process.
  ///
  /// - Parameter socket: the listening socket. Closed when the server stops, or if the initializer throws.
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
    if dumpsOnSignal {
      do {
        try DumpSignal.add(self) { [weak self] in self?.later { $0.dump() } }
      } catch {
        close(socket)
        throw error
      }
    }
    loop.start { [weak self] ready in self?.assumeIsolated { $0.turn(ready) } ?? SocketLoop.Wait() }
  }

  deinit {
    DumpSignal.remove(self)
    loop.finish()
  }

  /// Enqueues work for the server's thread, in FIFO order. The number of callers is bounded: one snapshot a tree, one
  /// dump and one stop.
  nonisolated func later(_ body: @escaping @Sendable (isolated InspectorServer) -> Void) {
    loop.later { [weak self] in self?.assumeIsolated(body) }
  }

  func stop() {
    guard !hasStopped else { return }
    hasStopped = true
    close(socket)
    DumpSignal.remove(self)
    for id in clients.keys { drop(id) }
    (snapshots, tours, waiting) = ([:], [:], [:])
    encoder.clear()
  }

  // MARK: Clients

  /// Handles the sockets that are ready and sends recorded events.
  ///
  /// - Returns: what to wait for next.
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
    // First, because a client that it answers may follow events next.
    skipUnanswered(&wait)
    beginFollowing()
    sendEvents(&wait)
    dropStalled(&wait)
    wait.interests = clients.map { id, connection in
      SocketLoop.Interest(
        id: id, socket: connection.socket, reading: connection.needsInput, writing: connection.needsRoom)
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
        // Without a free descriptor, `accept` would fail in a busy loop.
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

  /// Disconnects idle clients, longest idle first, until there is room for a new one.
  ///
  /// - Parameter descriptor: the file descriptor of the new client.
  /// - Returns: why there is no room; nil if there is.
  private func makeRoom(for descriptor: Int32) -> String? {
    while true {
      let isFull = clients.count >= limits.clients
      guard isFull || !SystemCalls.hasReserve(after: descriptor) else { return nil }
      guard let victim = longestIdle else {
        return isFull
          ? "There are \(clients.count) clients already."
          : "The process has no free file descriptor for another client."
      }
      drop(victim)
    }
  }

  /// The client to disconnect for a new one: it has no complete request pending, or does not read its answer.
  private var longestIdle: Int? {
    let candidates = clients.filter { _, connection in
      guard !connection.isFollower else { return false }
      return connection.isIdle || connection.stalledSince.map { .now - $0 >= limits.stall } ?? false
    }
    return candidates.min { $0.value.lastProgress < $1.value.lastProgress }?.key
  }

  /// Processes a client as far as possible without blocking.
  private func advance(_ id: Int) {
    guard let connection = clients[id] else { return }
    connection.flush()
    continueTour(id, connection)
    while let line = connection.nextLine() {
      handle(line, of: connection, id)
      connection.flush()
    }
    // Remaining output is sent when the socket accepts it; the next request is handled after that.
    if connection.isOver { drop(id) }
  }

  /// Disconnects clients that have left their output unread for too long.
  private func dropStalled(_ wait: inout SocketLoop.Wait) {
    for (id, connection) in clients {
      guard let instant = connection.stalledSince.map({ $0 + limits.timeout }) else { continue }
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
    (tours[id], waiting[id]) = (nil, nil)
    guard let tree = connection.followed else { return }
    registry.unfollow(tree.id)
    if !clients.values.contains(where: { $0.followed != nil }) { encoder.clear() }
  }

  // MARK: Events

  /// Answers the clients whose trees have started to report events.
  private func beginFollowing() {
    for (id, connection) in clients {
      guard case .subscribing(let tree, let replay) = connection.stage else { continue }
      guard let cursor = registry.cursor(tree, replay: replay) else { continue }
      connection.follow(cursor)
      advance(id)
    }
  }

  /// Sends one batch of events to each client that has read all before, then pauses long enough to keep within
  /// `eventShare`.
  private func sendEvents(_ wait: inout SocketLoop.Wait) {
    let readers = clients.filter { _, connection in
      if case .following = connection.stage { !connection.needsRoom } else { false }
    }
    guard !readers.isEmpty else { return }
    guard pausedUntil <= .now else { return wait.atMost(until: pausedUntil) }
    let before = SystemCalls.threadTime
    /// The positions of the readers that have read all events.
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
    pausedUntil = .now + time * (1 / limits.eventShare - 1)
    if let end = ends.min(), !registry.mayWait(at: end) { hasMore = true }
    if hasMore { wait.atMost(until: pausedUntil) }
  }

  /// - Returns: whether the client has been sent all recorded events.
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
      let process = ProcessInfo.processInfo
      let entries = registry.entries
      var names: [InspectedTree.ID: String] = [:]
      names.reserveCapacity(entries.count)
      for entry in entries { names[entry.id] = treeNames[entry.id] ?? entry.tree.name }
      treeNames = names
      connection.answer(
        InspectorAnswer.line(with: entries, names: names, of: process.processIdentifier, process.processName))
    case .snapshot:
      guard let tree = request.tree else {
        return connection.answer(InspectorAnswer.error("Name the tree: {\"request\":\"snapshot\",\"tree\":1}.").line)
      }
      guard let shown = registry.tree(tree) else { return connection.answer(unknown(tree)) }
      waiting[id] = (tree, .now + InspectorServer.timeout(of: request))
      requestSnapshot(of: shown, tree, for: id)
    case .snapshots:
      tours[id] = SnapshotTour(
        of: registry.entries.map(\.id), timeout: InspectorServer.timeout(of: request))
      continueTour(id, connection)
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

  private func requestSnapshot(of shown: TreeHandle, _ tree: InspectedTree.ID, for id: Int) {
    if snapshots[tree] != nil {
      snapshots[tree]?.next.insert(id)
    } else {
      snapshots[tree] = SnapshotRequests(current: [id])
      takeSnapshot(of: shown, tree)
    }
  }

  /// Takes a snapshot on the tree's actor and encodes it elsewhere, off the inspector's thread.
  private func takeSnapshot(of tree: TreeHandle, _ number: InspectedTree.ID) {
    Task.detached { [weak self, registry] in
      // Events between the snapshot and the subscription would have no number.
      await registry.waitForSubscription(to: number)
      let taken = Locked<InspectedKeyframe?>(nil)
      await tree.keyframe { keyframe in
        let events = registry.eventCount(of: number)
        taken.withLock { $0 = keyframe.map { InspectedKeyframe($0, of: number, after: events) } }
      }
      let line = taken.withLock { $0 }.map { InspectorAnswer.line(with: $0) }
      self?.later { server in server.answerSnapshot(line, of: tree, number) }
    }
  }

  /// - Parameter line: the snapshot; nil if the tree has ended.
  private func answerSnapshot(_ line: Data?, of tree: TreeHandle, _ number: InspectedTree.ID) {
    guard let requests = snapshots.removeValue(forKey: number) else { return }
    if !requests.next.isEmpty {
      snapshots[number] = SnapshotRequests(current: requests.next)
      takeSnapshot(of: tree, number)
    }
    for id in requests.current {
      if tours[id] == nil {
        waiting[id] = nil
        clients[id]?.answer(line ?? InspectorAnswer.error("Tree \(number) has ended.").line)
      } else {
        tours[id]?.requested = nil
        if let line { clients[id]?.answer(part: line) }
      }
      advance(id)
    }
  }

  /// Requests the next snapshot for a client that has read the previous one. Skips trees that have ended.
  private func continueTour(_ id: Int, _ connection: Connection) {
    guard let tour = tours[id], tour.requested == nil, !connection.needsRoom, !connection.isOver else { return }
    while let tree = tours[id]?.next() {
      guard let shown = registry.tree(tree) else { continue }
      tours[id]?.requested = (tree, .now + tour.timeout)
      return requestSnapshot(of: shown, tree, for: id)
    }
    tours[id] = nil
    connection.answer(InspectorAnswer(.complete).line)
    connection.flush()
  }

  /// How long to wait for a tree.
  private static func timeout(of request: InspectorRequest) -> Duration {
    .seconds(request.timeout ?? 10).boundedTimeout
  }

  /// Answers in place of trees that have not answered within the timeout of a request, on this thread: they may occupy all
  /// others.
  private func skipUnanswered(_ wait: inout SocketLoop.Wait) {
    for (id, (tree, deadline)) in waiting where deadline <= .now {
      snapshots[tree]?.current.remove(id)
      snapshots[tree]?.next.remove(id)
      waiting[id] = nil
      clients[id]?.answer(InspectorAnswer.unanswered(tree, registry.tree(tree)).line)
      advance(id)
    }
    for (id, tour) in tours {
      guard let (tree, deadline) = tour.requested, deadline <= .now else { continue }
      snapshots[tree]?.current.remove(id)
      snapshots[tree]?.next.remove(id)
      tours[id]?.requested = nil
      clients[id]?.answer(part: InspectorAnswer.unanswered(tree, registry.tree(tree)).line)
      advance(id)
    }
    // Afterwards, because each client that was answered may have requested the next snapshot.
    for (_, deadline) in waiting.values { wait.atMost(until: deadline) }
    for tour in tours.values { if let (_, deadline) = tour.requested { wait.atMost(until: deadline) } }
  }

  // MARK: Signals

  /// Writes all trees to standard error. One further request is remembered meanwhile.
  private func dump() {
    guard !hasStopped else { return }
    guard dumping == .idle else {
      dumping = .writingBeforeAnother
      return
    }
    dumping = .writing
    let (process, entries) = (ProcessInfo.processInfo, registry.entries)
    let title = "RIBs: \(process.processName) (\(process.processIdentifier)), \(entries.count.counted("tree"))\n"
    // The reader of standard error may be slow or gone, and trees may occupy all other threads.
    SystemCalls.startThread(named: "ribs.dump") { [weak self] in
      func write(_ text: String) { SystemCalls.writeAll(Array(text.utf8), to: STDERR_FILENO) }
      write(title)
      InspectorServer.dump(entries, timeout: .seconds(10), to: write)
      self?.later { $0.dumpAgainIfRequested() }
    }
  }

  /// Writes trees as text, one at a time, to hold only one in memory. Blocks the thread.
  ///
  /// - Parameter timeout: how long to wait for each tree. One that does not answer has a line that says so.
  static func dump(_ entries: [TreeRegistry.Entry], timeout: DispatchTimeInterval, to write: (String) -> Void) {
    for entry in entries {
      let answer = Locked<TreeSnapshot?>(nil)
      let hasAnswered = DispatchSemaphore(value: 0)
      Task.detached {
        let snapshot = await entry.tree.snapshot()
        answer.withLock { $0 = snapshot }
        hasAnswered.signal()
      }
      guard hasAnswered.wait(timeout: .now() + timeout) == .success else {
        write((InspectorAnswer.unanswered(entry.id, entry.tree).message ?? "") + "\n")
        continue
      }
      // It may have ended.
      guard let snapshot = answer.withLock({ $0 }) else { continue }
      write("Tree \(entry.id)\n\(snapshot.text())")
    }
  }

  private func dumpAgainIfRequested() {
    let isRequested = dumping == .writingBeforeAnother
    dumping = .idle
    if isRequested { dump() }
  }
}

extension InspectorRequest {
  /// Parses a request.
  ///
  /// - Throws: an error with a message for the client.
  fileprivate init(line: Data) throws(InspectorError) {
    guard let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] else {
      throw InspectorError(.refused, "A request is an object in JSON on one line.")
    }
    guard object["version"] as? Int ?? InspectorRequest.version == InspectorRequest.version else {
      throw InspectorError(.refused, "This inspector uses version \(InspectorRequest.version).")
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
    if let timeout = object["timeout"] {
      guard let timeout = timeout as? Int, (1...86_400).contains(timeout) else {
        throw InspectorError(.refused, "The field \"timeout\" is a number of seconds, 1 to 86400.")
      }
      self.timeout = timeout
    }
  }
}
