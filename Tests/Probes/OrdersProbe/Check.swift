// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs

/// Pays orders with a server that is killed again and again, and compares what was charged with what was ordered.
struct Check {
  let directory: String
  let orders: Int
  let kills: Int
  let answersAtOnce: Bool

  func run() async throws -> Bool {
    let socket = "\(directory)/payments.sock"
    let payments = try ChildProgram(["payments", socket])
    guard payments.readLine() == "ready" else { return false }
    let server = Server(["serve", "\(directory)/orders", socket] + (answersAtOnce ? ["at-once"] : []))
    let progress = Progress(orders: orders)
    let start = ContinuousClock.now
    let killing = Task { await kill(server, at: progress) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask { while let order = progress.nextOrder() { await pay(order, at: server, progress) } }
      }
    }
    await killing.value
    await server.end()
    payments.closeInput()
    let charged = (payments.readLine() ?? "").split(separator: " ").compactMap { Int($0) }
    let expected = progress.cents
    let isGood =
      charged.count == 5 && charged[0] == orders && charged[1] == orders && charged[2] == expected && charged[3] == 0
    print(
      """
      \(orders) orders, \(server.kills) kills, \(server.stops) stops, \(server.resumptions) of them served on, \
      \(start.duration(to: .now))
      charged: \(charged.first ?? 0) orders by \(charged.dropFirst().first ?? 0) charges, \
      \(charged.dropFirst(2).first ?? 0) cents of \(expected), \(charged.last ?? 0) repeated requests
      \(progress.lost) orders lost
      \(isGood ? "Nothing was lost or repeated." : "FAILED")
      """)
    return isGood && server.kills == kills && server.resumptions == (kills + 19) / 20
  }

  /// Orders three items and pays. Each request is repeated until it is answered.
  private func pay(_ order: Int, at server: Server, _ progress: Progress) async {
    for item in 0..<3 {
      let cents = Int.random(in: 1...9_999)
      progress.add(cents)
      await server.request("order-\(order) add-\(item) add \(cents)")
    }
    await server.request("order-\(order) pay pay")
    var status = ""
    while status != "paid" {
      status = await server.request("order-\(order) status status")
      // The answered request to pay was forgotten.
      if status == "open" { return progress.loseOrder() }
      await Task.yield()
    }
    progress.finishOrder()
  }

  /// Kills the server at random moments, spread over the orders. Stops it for a while before each tenth time; then it is
  /// killed at once, or after it has served again.
  private func kill(_ server: Server, at progress: Progress) async {
    let moments = (0..<kills).map { _ in Int.random(in: 0..<max(orders * 9 / 10, 1)) }.sorted()
    for (index, moment) in moments.enumerated() {
      await progress.wait(for: moment)
      try? await Task.sleep(for: .microseconds(Int.random(in: 0..<20_000)))
      if index.isMultiple(of: 10) {
        await server.stop(for: .milliseconds(30), servesThen: index.isMultiple(of: 20))
        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<30_000)))
      }
      await server.kill()
    }
  }
}

/// How far the orders are.
private final class Progress: Sendable {
  private struct State {
    var next = 0
    var finished = 0
    var lost = 0
    var cents = 0
    /// The caller that waits, and the number of orders it waits for.
    var waiter: (finished: Int, wakeUp: CheckedContinuation<Void, Never>)?
  }

  private let state = Locked(State())
  private let orders: Int

  init(orders: Int) { self.orders = orders }

  func nextOrder() -> Int? {
    state.withLock { state in
      guard state.next < orders else { return nil }
      state.next += 1
      return state.next
    }
  }

  func add(_ cents: Int) { state.withLock { $0.cents += cents } }
  func finishOrder() { end(isLost: false) }
  func loseOrder() { end(isLost: true) }

  private func end(isLost: Bool) {
    let wakeUp: CheckedContinuation<Void, Never>? = state.withLock { state in
      state.finished += 1
      if isLost { state.lost += 1 }
      guard let waiter = state.waiter, waiter.finished <= state.finished else { return nil }
      state.waiter = nil
      return waiter.wakeUp
    }
    wakeUp?.resume()
  }

  /// Returns when so many orders have ended. One caller at a time may wait.
  func wait(for finished: Int) async {
    await withCheckedContinuation { wakeUp in
      let isThere = state.withLock { state in
        if state.finished < finished { state.waiter = (finished, wakeUp) }
        return state.finished >= finished
      }
      if isThere { wakeUp.resume() }
    }
  }

  var lost: Int { state.withLock { $0.lost } }
  var cents: Int { state.withLock { $0.cents } }
}

/// The server process, started again when it was killed.
private actor Server {
  private let arguments: [String]
  private var program: ChildProgram?
  private var lastNumber = 0
  private var pending: [Int: CheckedContinuation<String?, Never>] = [:]
  private var starters: [CheckedContinuation<Void, Never>] = []
  nonisolated private let counts = Locked((kills: 0, stops: 0, resumptions: 0))

  init(_ arguments: [String]) { self.arguments = arguments }

  nonisolated var kills: Int { counts.withLock { $0.kills } }
  nonisolated var stops: Int { counts.withLock { $0.stops } }
  /// How often a server has answered a request after it was stopped.
  nonisolated var resumptions: Int { counts.withLock { $0.resumptions } }

  @discardableResult
  func request(_ text: String) async -> String {
    while true {
      let program = await running()
      lastNumber += 1
      let number = lastNumber
      let answer: String? = await withCheckedContinuation { continuation in
        pending[number] = continuation
        if !program.write("\(number) \(text)") { pending.removeValue(forKey: number)?.resume(returning: nil) }
      }
      if let answer, answer != "error" { return answer }
    }
  }

  private func running() async -> ChildProgram {
    while true {
      if let program { return program }
      start()
    }
  }

  private func start() {
    guard let program = try? ChildProgram(arguments) else { return }
    guard program.readLine() == "ready" else { return program.kill() }
    self.program = program
    Thread.detachNewThread { [self] in
      while let line = program.readLine() {
        Task { await self.answer(line) }
      }
      Task { await self.ended(program) }
    }
  }

  private func answer(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let number = words.first.flatMap({ Int($0) }) else { return }
    pending.removeValue(forKey: number)?.resume(returning: words.last)
  }

  private func ended(_ program: ChildProgram) {
    guard self.program === program else { return }
    self.program = nil
    let lost = pending
    pending = [:]
    for continuation in lost.values { continuation.resume(returning: nil) }
  }

  func kill() async {
    let program = await running()
    program.kill()
    counts.withLock { $0.kills += 1 }
    ended(program)
  }

  /// - Parameter servesThen: whether this returns when the same process has answered a request that was sent afterwards.
  func stop(for duration: Duration, servesThen: Bool) async {
    let program = await running()
    program.signal(SIGSTOP)
    try? await Task.sleep(for: duration)
    program.signal(SIGCONT)
    counts.withLock { $0.stops += 1 }
    guard servesThen else { return }
    await request("resumed resumed-\(stops) add 1")
    if self.program === program { counts.withLock { $0.resumptions += 1 } }
  }

  func end() {
    program?.closeInput()
    program?.wait()
    program = nil
  }
}
