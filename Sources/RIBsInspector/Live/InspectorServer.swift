internal import Dispatch
internal import Foundation
internal import RIBs
internal import Synchronization

/// Answers the clients of an inspector. It runs on a thread of its own, and waits for nothing there but for sockets.
actor InspectorServer {
  /// A tree that can be looked at.
  private struct Shown {
    let tree: LiveTree
    let since: ContinuousClock.Instant
    /// Where its events come from, once somebody wanted to know of them.
    var tap: EventTap?
  }

  private struct Client {
    let connection: Connection
    /// Whether somebody looks after a while whether it reads.
    var isWatched = false
  }

  /// How many clients there may be.
  static let mostClients = 64
  /// What is waited for under this number is not a client, but the socket that they come to.
  private static let listening = 0
  private nonisolated let loop: SocketLoop
  private nonisolated let watchesAll: Atomic<Bool>
  private let socket: Int32
  /// How long a client may read nothing of what waits for it.
  private let patience: DispatchTimeInterval
  /// Whether clients are taken that come now.
  private var isAccepting = true
  private let signals: (any DispatchSourceSignal)?
  private var trees: [InspectedTree.ID: Shown] = [:]
  private var ids: [ObjectIdentifier: InspectedTree.ID] = [:]
  private var clients: [Int: Client] = [:]
  private var lastClient = 0
  private var history = EventHistory()
  private var hasStopped = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Begins to answer. When this returns, the signal does no harm any more.
  ///
  /// - Parameter socket: where clients come to; closed when the server stops, or can't be made.
  init(
    socket: Int32, watchesAll: Bool, dumpsOnSignal: Bool, patience: DispatchTimeInterval
  ) throws(InspectorError) {
    do {
      loop = try SocketLoop()
    } catch {
      close(socket)
      throw error
    }
    self.socket = socket
    self.patience = patience
    self.watchesAll = Atomic(watchesAll)
    let signals = dumpsOnSignal ? DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global()) : nil
    self.signals = signals
    loop.start { [weak self] ready in self?.assumeIsolated { $0.turn(ready) } ?? [] }
    guard let signals else { return }
    // Otherwise the signal ends the process.
    signal(SIGUSR1, SIG_IGN)
    signals.setEventHandler { [weak self] in self?.later { $0.dump() } }
    signals.activate()
  }

  deinit { loop.finish() }

  /// Whether the events of trees are wanted from their launch on.
  nonisolated var watchesLaunches: Bool { watchesAll.load(ordering: .relaxed) }

  /// Does something on the thread, after all that was to be done before.
  nonisolated func later(_ body: @escaping @Sendable (isolated InspectorServer) -> Void) {
    loop.later { [weak self] in self?.assumeIsolated(body) }
  }

  /// Does something on the thread after a while.
  private nonisolated func later(
    after interval: DispatchTimeInterval, _ body: @escaping @Sendable (isolated InspectorServer) -> Void
  ) {
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [weak self] in self?.later(body) }
  }

  func stop() {
    guard !hasStopped else { return }
    hasStopped = true
    close(socket)
    signals?.cancel()
    for shown in trees.values { shown.tap?.close() }
    for id in clients.keys { drop(id) }
    trees = [:]
    ids = [:]
  }

  // MARK: Trees

  func show(_ tree: LiveTree, as id: InspectedTree.ID, tap: EventTap?) {
    guard !hasStopped else {
      tap?.close()
      return
    }
    trees[id] = Shown(tree: tree, since: .now, tap: tap)
    ids[ObjectIdentifier(tree)] = id
    if let tap { listen(to: tap, of: id) } else if watchesLaunches { watch(id) }
  }

  func hide(_ tree: LiveTree) {
    guard let id = ids.removeValue(forKey: ObjectIdentifier(tree)), let shown = trees.removeValue(forKey: id) else {
      return
    }
    if let tap = shown.tap { tap.close() } else { endFollowing(id) }
  }

  private var list: [InspectedTree] {
    trees.sorted { $0.key < $1.key }.map { id, shown in
      InspectedTree(id: id, name: shown.tree.name, age: (ContinuousClock.now - shown.since) / .seconds(1))
    }
  }

  /// Has the events of a tree recorded from now on.
  ///
  /// - Returns: what is over when the tree has begun to tell them; nil if it has already.
  @discardableResult
  private func watch(_ id: InspectedTree.ID) -> Task<Void, Never>? {
    guard let shown = trees[id], shown.tap == nil else { return nil }
    let tap = EventTap()
    trees[id]?.tap = tap
    listen(to: tap, of: id)
    return Task.detached { [tree = shown.tree] in
      if await !tree.observe({ tap.take($0) }) { tap.close() }
    }
  }

  /// Encodes events as they come, away from the tree and from this thread.
  private nonisolated func listen(to tap: EventTap, of tree: InspectedTree.ID) {
    Task.detached { [weak self] in
      var last = 0
      for await item in tap.items {
        var answer = InspectorAnswer(.event)
        answer.event = InspectedEvent(item.event, tree: tree, number: item.number)
        let (line, missed) = (answer.line, item.number - last - 1)
        last = item.number
        self?.later { server in server.record(line, of: tree, missed: missed) }
      }
      self?.later { server in server.endFollowing(tree) }
    }
  }

  private func record(_ line: Data, of tree: InspectedTree.ID, missed: Int) {
    history.append(line, of: tree)
    for (id, client) in clients where client.connection.following?.includes(tree) == true {
      if missed > 0 { client.connection.tell(InspectorAnswer.lost(missed).line, count: missed) }
      client.connection.tell(line)
      advance(id)
    }
  }

  private func endFollowing(_ tree: InspectedTree.ID) {
    var answer = InspectorAnswer(.ended)
    answer.tree = tree
    for (id, client) in clients where client.connection.following == .tree(tree) {
      client.connection.end(answer.line)
      advance(id)
    }
  }

  // MARK: Clients

  /// Goes on with the sockets that are ready.
  ///
  /// - Returns: what to wait for.
  private func turn(_ ready: [SocketLoop.Interest]) -> [SocketLoop.Interest] {
    for socket in ready {
      if socket.id == InspectorServer.listening {
        accept()
      } else if let client = clients[socket.id] {
        if socket.reading { client.connection.read() }
        advance(socket.id)
      }
    }
    guard !hasStopped else { return [] }
    var interests: [SocketLoop.Interest] = clients.compactMap { id, client in
      let (reading, writing) = (client.connection.wantsInput, client.connection.needsRoom)
      guard reading || writing else { return nil }
      return SocketLoop.Interest(id: id, socket: client.connection.socket, reading: reading, writing: writing)
    }
    if isAccepting {
      interests.append(
        SocketLoop.Interest(id: InspectorServer.listening, socket: socket, reading: true, writing: false))
    }
    return interests
  }

  private func accept() {
    while !hasStopped {
      let accepted = systemAccept(socket)
      guard accepted >= 0 else {
        // Without a free descriptor this would be called again and again.
        if !SystemCalls.wouldBlock, errno != ECONNABORTED { pauseAccepting() }
        return
      }
      SystemCalls.prepare(accepted)
      SystemCalls.setNonblocking(accepted)
      let connection = Connection(accepted)
      guard clients.count < InspectorServer.mostClients else {
        connection.end(InspectorAnswer.error("There are \(InspectorServer.mostClients) clients already.").line)
        connection.flush()
        close(accepted)
        continue
      }
      lastClient += 1
      clients[lastClient] = Client(connection: connection)
    }
  }

  private func pauseAccepting() {
    isAccepting = false
    later(after: .seconds(1)) { $0.isAccepting = true }
  }

  /// Goes on with a client as far as it goes without waiting.
  private func advance(_ id: Int) {
    guard let client = clients[id] else { return }
    let connection = client.connection
    connection.flush()
    while let line = connection.nextLine() {
      handle(line, of: connection, id)
      connection.flush()
    }
    // What still waits goes on when there is room, and the next request has its turn after it.
    if connection.isOver { return drop(id) }
    if connection.needsRoom, !client.isWatched { watchProgress(id) }
  }

  /// Drops a client that does not read anything for a while of what waits for it.
  private func watchProgress(_ id: Int) {
    guard let progress = clients[id]?.connection.progress else { return }
    clients[id]?.isWatched = true
    later(after: patience) { server in
      guard let connection = server.clients[id]?.connection else { return }
      server.clients[id]?.isWatched = false
      guard connection.needsRoom else { return }
      if connection.progress == progress { server.drop(id) } else { server.watchProgress(id) }
    }
  }

  private func drop(_ id: Int) {
    if let client = clients.removeValue(forKey: id) { close(client.connection.socket) }
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
      answer.trees = list
      connection.answer(answer.line)
    case .snapshot:
      guard let tree = request.tree else {
        return connection.answer(InspectorAnswer.error("Say which tree: {\"request\":\"snapshot\",\"tree\":1}.").line)
      }
      guard let shown = trees[tree] else { return connection.answer(unknown(tree)) }
      snapshot(shown.tree, tree, for: id)
    case .events:
      follow(request.tree, replay: request.replay == true, for: id, connection)
    }
  }

  private func follow(_ tree: InspectedTree.ID?, replay: Bool, for id: Int, _ connection: Connection) {
    guard let tree else {
      watchesAll.store(true, ordering: .relaxed)
      for tree in trees.keys { watch(tree) }
      return connection.follow(.all, replay ? history.lines(of: nil) : [])
    }
    guard trees[tree] != nil else { return connection.answer(unknown(tree)) }
    guard let beginning = watch(tree) else {
      return connection.follow(.tree(tree), replay ? history.lines(of: tree) : [])
    }
    Task.detached { [weak self] in
      await beginning.value
      self?.later { server in
        guard let connection = server.clients[id]?.connection else { return }
        connection.follow(.tree(tree), replay ? server.history.lines(of: tree) : [])
        if server.trees[tree] == nil { server.endFollowing(tree) }
        server.advance(id)
      }
    }
  }

  private func unknown(_ tree: InspectedTree.ID) -> Data {
    let known = trees.keys.sorted().prefix(20).map(String.init).joined(separator: ", ")
    return InspectorAnswer.error(
      "There is no tree \(tree). \(known.isEmpty ? "There are none." : "There are: \(known).")"
    ).line
  }

  /// Takes a snapshot where the tree runs, and encodes it away from there and from this thread.
  private func snapshot(_ tree: LiveTree, _ number: InspectedTree.ID, for id: Int) {
    Task.detached { [weak self] in
      let line: Data
      if let snapshot = await tree.snapshot() {
        line = InspectorAnswer.line(with: snapshot, of: number)
      } else {
        line = InspectorAnswer.error("Tree \(number) has ended.").line
      }
      self?.later { server in
        server.clients[id]?.connection.answer(line)
        server.advance(id)
      }
    }
  }

  // MARK: Signals

  /// Writes all trees to standard error.
  private func dump() {
    let (process, shown) = (ProcessInfo.processInfo, trees.sorted { $0.key < $1.key })
    let title = "RIBs: \(process.processName) (\(process.processIdentifier)), \(shown.count.counted("tree"))\n"
    Task.detached {
      var text = title
      for (id, shown) in shown {
        guard let snapshot = await shown.tree.snapshot() else { continue }
        text += "Tree \(id)\n\(snapshot.text())"
      }
      let data = Data(text.utf8)
      // Whoever reads standard error may be slow, and may have gone.
      DispatchQueue.global().async { try? FileHandle.standardError.write(contentsOf: data) }
    }
  }
}

private func systemAccept(_ socket: Int32) -> Int32 { accept(socket, nil, nil) }

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
