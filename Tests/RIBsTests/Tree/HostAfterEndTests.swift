// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

/// Everything that crosses the border of a tree, with every end of the tree, at every moment of the end.
@Suite("At the border of a tree that ends")
struct HostAfterEndTests {
  /// What code outside requests of a tree.
  enum Request: CaseIterable, Sendable {
    case values, settledValues, events, snapshots, snapshot, perform, startingPerform, asyncPerform, performWithin

    var isCall: Bool { [.perform, .startingPerform, .asyncPerform, .performWithin].contains(self) }

    /// Whether the caller keeps the host while it waits.
    var keepsHost: Bool { isCall || self == .snapshot }

    /// The answer to a request that has reached the tree before the end.
    func answerBefore(_ end: End) -> String {
      switch self {
      case .values, .settledValues, .events, .snapshots, .snapshot: "some"
      case .perform, .startingPerform: "result"
      case .asyncPerform, .performWithin: end.error
      }
    }

    func answerAfter(_ end: End) -> String { isCall ? end.error : "none" }
  }

  enum End: CaseIterable, Sendable {
    case shutdown, endTree, failure, drop, refusedLaunch

    /// The answer to a call.
    var error: String {
      switch self {
      case .shutdown, .endTree, .drop: "TreeEnded"
      case .failure: "TreeFailure"
      case .refusedLaunch: "Misuse"
      }
    }

    /// What the handler of the end receives.
    var reason: String {
      switch self {
      case .shutdown: "it was shut down"
      case .endTree: "Ending ended it"
      case .failure: "Ending failed: Failure"
      case .drop: "the last reference to it was released"
      case .refusedLaunch:
        "its launch was refused: The tree can't be launched: it was launched before, or its root is in use."
      }
    }
  }

  /// When the request is made.
  enum Moment: CaseIterable, Sendable {
    /// It is answered, or waits, when the end begins.
    case before
    /// It is made while the RIBs resign, and reaches the tree while work outlives them.
    case during
    case after
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let request: Request
    let end: End
    let moment: Moment

    var testDescription: String { "\(request), \(end), \(moment)" }

    /// A refused tree has no moment before its end. A caller keeps the host, so a host that is released has no callers,
    /// only readers.
    var isPossible: Bool {
      switch end {
      case .shutdown, .endTree, .failure: true
      case .refusedLaunch: moment == .after
      case .drop: !request.keepsHost
      }
    }
  }

  static let cases = Request.allCases.flatMap { request in
    End.allCases.flatMap { end in
      Moment.allCases.map { Case(request: request, end: end, moment: $0) }.filter(\.isPossible)
    }
  }

  private typealias Host = TreeHost<EndingRouter>
  private typealias Work = @Sendable () async -> String

  private let journal = Journal()
  private let gate = Gate()

  private func host(_ end: End) async -> Host {
    var configuration = TreeConfiguration(leakDetection: .off, onMisuse: { _ in }, onFailure: { _ in })
    configuration.onEnd = { [journal] reason in
      journal.write("\(reason)")
      journal.write("ended")
    }
    return await TreeHost(configuration: configuration) { [journal, gate] in
      let root = EndingRouter()
      if end == .refusedLaunch {
        root.interactor.activate()
      } else {
        root.interactor.onDeinit = { journal.write("released") }
        root.interactor.onActive = { interactor in
          interactor.task {
            let actor = #isolation
            interactor.onResign = { _ in actor?.preconditionIsolated() }
            await gate.passStubbornly(journal)
          }
          // Gives its turns back, and ends only when it is cancelled.
          if end == .drop { interactor.task { while !Task.isCancelled { await Task.yield() } } }
        }
      }
      return root
    }
  }

  /// The request, which needs the host only if it is a call.
  private func work(_ request: Request, of host: Host) -> Work {
    let (journal, gate) = (journal, gate)
    func reading<Values: AsyncSequence & Sendable>(_ values: Values) -> Work where Values.Failure == Never {
      {
        var count = 0
        for await _ in values {
          count += 1
          journal.write("delivered")
        }
        return count == 0 ? "none" : "some"
      }
    }
    let deliver: @Sendable () -> String = {
      journal.write("delivered")
      return "result"
    }
    func calling(_ call: @escaping @Sendable () async throws -> String) -> Work {
      {
        do { return try await call() } catch { return "\(type(of: error))" }
      }
    }
    switch request {
    case .values: return reading(host.values { $0.state })
    case .settledValues: return reading(host.values { $0.state.asObservable().settled(in: $0.interactor) })
    case .events: return reading(host.events())
    case .snapshots: return reading(host.snapshots())
    case .snapshot:
      return {
        guard await !host.snapshot().nodes.isEmpty else { return "none" }
        journal.write("delivered")
        return "some"
      }
    case .startingPerform:
      return calling {
        try await host.perform { root in root.interactor.task { journal.write("delivered") } }
        return "result"
      }
    case .perform: return calling { try await host.perform { _ in deliver() } }
    case .asyncPerform:
      return calling {
        try await host.perform { _ in
          let result = deliver()
          // The call is answered although its closure still runs.
          await gate.passStubbornly()
          return result
        }
      }
    case .performWithin:
      return calling {
        try await host.perform(within: { $0.interactor }) { _ in
          let result = deliver()
          try await Task.sleep(for: .seconds(1_000))
          return result
        }
      }
    }
  }

  @Test("nothing begins, is delivered, hangs or leaks", arguments: cases)
  func ending(_ example: Case) async throws {
    var host: Host? = await host(example.end)
    var work: Work? = try self.work(example.request, of: #require(host))
    if example.end == .refusedLaunch {
      #expect(await work?() == example.request.answerAfter(example.end))
      #expect(journal.lines == [example.end.reason, "ended"])
      return
    }
    await journal.wait(for: "begun")
    switch example.moment {
    case .before:
      let running = Task { [work] in await work?() ?? "" }
      work = nil
      // An event reader receives nothing until something happens.
      while example.request == .events, !journal.lines.contains("delivered") {
        try await host?.perform { $0.flip() }
        await Task.yield()
      }
      await journal.wait(for: "delivered")
      try await end(&host, example.end)
      if example.request == .events {
        // Events continue until the last work has ended.
        gate.open()
      }
      #expect(await running.value == example.request.answerBefore(example.end))
      gate.open()
    case .during:
      let results = AsyncStream<String>.makeStream()
      try await host?.perform { [work] root in
        root.interactor.onResign = { interactor in
          // The request holds the host, which owns this interactor.
          interactor.onResign = nil
          Task { results.continuation.yield(await work?() ?? "") }
        }
      }
      work = nil
      try await end(&host, example.end)
      #expect(await first(of: results.stream) == example.request.answerAfter(example.end))
      #expect(!journal.lines.contains("delivered"))
      gate.open()
    case .after:
      gate.open()
      try await end(&host, example.end)
      #expect(await work?() == example.request.answerAfter(example.end))
      #expect(!journal.lines.contains("delivered"))
      work = nil
    }
    // A tree that has ended by itself is released although the host is kept.
    if example.end != .endTree, example.end != .failure { host = nil }
    await journal.wait(for: "released")
    withExtendedLifetime(host) {}
    #expect(journal.lines.contains(example.end.reason))
    #expect(journal.lines.count { $0 == "ended" } == 1)
  }

  /// Ends the tree, and returns when its RIBs have resigned.
  private func end(_ host: inout Host?, _ end: End) async throws {
    switch end {
    case .shutdown: Task { [host] in await host?.shutdown() }
    case .endTree: try await host?.perform { $0.interactor.endTree() }
    case .failure: try await host?.perform { $0.interactor.fail(Failure()) }
    case .drop, .refusedLaunch: host = nil
    }
    await journal.wait(for: "ended")
  }
}

private final class EndingRouter: Scripted.Router {
  let state = BehaviorRelay(value: 0)

  /// Attaches a child, or detaches it.
  func flip() {
    if let child = children.first { detachChild(child) } else { attachChild(Scripted.ChildRouter()) }
  }
}
