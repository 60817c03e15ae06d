// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Values of a tree, read outside it")
struct HostValuesTests {
  private let journal = Journal()

  private final class MeterInteractor: Interactor {
    let price = BehaviorRelay(value: 0)
    let ticks = PublishRelay<Int>()
    private(set) var subscriptions = 0

    /// The price, and a count of the subscriptions to it.
    var observedPrice: Observable<Int> {
      Observable.create { observer in
        self.subscriptions += 1
        let token = self.price.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted)
        return Disposables.create {
          self.subscriptions -= 1
          token.dispose()
        }
      }
    }
  }

  private typealias MeterRouter = Router<MeterInteractor>

  private func host() async -> TreeHost<MeterRouter> {
    await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { MeterRouter(interactor: MeterInteractor()) }
  }

  @Test("begin with the current one, and end with the tree")
  func reading() async throws {
    let host = await host()
    try await host.perform { $0.interactor.price.accept(7) }
    var seen: [Int] = []
    for await price in host.values({ $0.interactor.price }) {
      seen.append(price)
      if price == 9 { await host.shutdown() } else { try await host.perform { $0.interactor.price.accept(price + 1) } }
    }
    #expect(seen == [7, 8, 9])
  }

  @Test("are the newest for a slow reader, or the first within a bound")
  func buffering() async throws {
    let host = await host()
    var newest = host.values { $0.interactor.price }.makeAsyncIterator()
    var oldest = host.values(bufferingPolicy: .bufferingOldest(3)) { $0.interactor.price }.makeAsyncIterator()
    #expect(await newest.next() == 0)
    #expect(await oldest.next() == 0)
    try await host.perform { root in for price in 1...1_000 { root.interactor.price.accept(price) } }
    #expect(await newest.next() == 1_000)
    for price in 1...3 { #expect(await oldest.next() == price) }
    await host.shutdown()
    #expect(await newest.next() == nil)
    #expect(await oldest.next() == nil)
  }

  @Test("of 1,000 readers that leave or are cancelled are disposed of on the tree", arguments: [false, true])
  func manyReaders(areCancelled: Bool) async throws {
    let host = await host()
    for _ in 0..<10 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            for await _ in host.values({ $0.interactor.observedPrice }) {
              guard areCancelled else { break }
              withUnsafeCurrentTask { $0?.cancel() }
            }
          }
        }
      }
    }
    while try await host.perform({ $0.interactor.subscriptions }) > 0 { await Task.yield() }
    await host.shutdown()
  }

  @Test("are none if the closure that finds them ends the tree", arguments: [false, true])
  func endingInTheClosure(isStream: Bool) async throws {
    let host = await host()
    let values = host.values { root in
      if isStream {
        return Observable.create { [interactor = root.interactor] observer in
          interactor.endTree()
          observer.onNext(1)
          return Disposables.create {}
        }
      }
      root.interactor.endTree()
      return root.interactor.price.asObservable()
    }
    for await _ in values { Issue.record("A value was delivered after the end.") }
    #expect(await host.ended.description == "Meter ended it")
  }

  @Test("are not subscribed to by a reader that is cancelled before its first value")
  func cancelledEarly() async throws {
    let host = await host()
    let values = host.values { root in
      Issue.record("A cancelled reader has subscribed.")
      return root.interactor.price
    }
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in values { Issue.record("A cancelled reader has received a value.") }
    }.value
    await host.shutdown()
  }

  @Test("without a policy report that one was lost, once, unless they are a state")
  func lostValues() async throws {
    let misuses = Shared<[Misuse.Kind]>([])
    let configuration = TreeConfiguration(onMisuse: { misuse in misuses.change { $0.append(misuse.kind) } })
    let host = await TreeHost(configuration: configuration) { MeterRouter(interactor: MeterInteractor()) }
    func accept(_ numbers: ClosedRange<Int>) async throws {
      try await host.perform { root in
        for number in numbers {
          root.interactor.price.accept(number)
          root.interactor.ticks.accept(number)
        }
      }
    }
    var states = await host.values { $0.interactor.price }.subscribed().makeAsyncIterator()
    var chosen = await host.values(bufferingPolicy: .bufferingNewest(1)) { $0.interactor.ticks }
      .subscribed().makeAsyncIterator()
    try await accept(1...3)
    #expect(misuses.value == [])
    var ticks = await host.values { $0.interactor.ticks }.subscribed().makeAsyncIterator()
    try await accept(4...4)
    #expect(await ticks.next() == 4)
    #expect(misuses.value == [])
    try await accept(5...7)
    #expect(misuses.value == [.lostValues])
    #expect(await states.next() == 7)
    #expect(await chosen.next() == 7)
    #expect(await ticks.next() == 7)
    await host.shutdown()
    #expect(misuses.value == [.lostValues])
  }

  @Test("are those from the subscription on, which a program can wait for")
  func subscribed() async throws {
    let host = await host()
    let ticks = await host.values(bufferingPolicy: .unbounded) { $0.interactor.ticks }.subscribed()
    try await host.perform { root in for tick in 1...3 { root.interactor.ticks.accept(tick) } }
    await host.shutdown()
    var seen: [Int] = []
    for await tick in ticks { seen.append(tick) }
    #expect(seen == [1, 2, 3])
  }

  @Test("arrive in order, each once, from a tree that is busy", arguments: [1, 4])
  func order(readers: Int) async throws {
    let host = await host()
    let streams = (0..<readers).map { _ in host.values(bufferingPolicy: .unbounded) { $0.interactor.price } }
    await withTaskGroup(of: [Int].self) { group in
      for stream in streams {
        group.addTask {
          var seen: [Int] = []
          for await price in stream {
            seen.append(price)
            if price == 2_000 { break }
          }
          return seen
        }
      }
      for price in 1...2_000 { try? await host.perform { $0.interactor.price.accept(price) } }
      for await seen in group { #expect(seen == Array((seen.first ?? 0)...2_000)) }
    }
    await host.shutdown()
  }

  @Test("include its events, of the kinds that are asked for")
  func events() async throws {
    let host = await host()
    let reader = Task {
      for await event in host.events([.attached, .detached]) {
        journal.write("\(event.kind) \(event.path)")
        if event.kind == .detached { break }
      }
      journal.write("left")
    }
    // The reader subscribes in one of the first turns.
    while !journal.lines.contains("left") {
      try await host.perform { root in
        let child = Scripted.ChildRouter()
        root.attachAndDetach(child)
      }
      await Task.yield()
    }
    await reader.value
    #expect(journal.lines == ["attached Meter/Child", "detached Meter/Child", "left"])
    await host.shutdown()
  }

  @Test(
    "include a snapshot after each change, and one without RIBs at the end, whatever ends the tree", arguments: 0..<60)
  func snapshots(round: Int) async throws {
    let host = await host()
    let snapshots =
      switch round % 3 {
      case 0: host.snapshots()
      case 1: host.snapshots(onChange: [.attached])
      default: host.snapshots(onChange: [.attached, .resigned, .ended])
      }
    var counts: [Int] = []
    for await snapshot in snapshots {
      counts.append(snapshot.nodes.count)
      switch counts.count {
      case 1:
        try await host.perform { root in
          root.attachChild(Scripted.ChildRouter())
          root.attachChild(Scripted.LeafRouter())
        }
      case 2 where round.isMultiple(of: 2): await host.shutdown()
      case 2:
        try await host.perform { root in
          root.attachChild(Scripted.ChildRouter())
          root.interactor.endTree()
        }
      default: break
      }
    }
    #expect(counts == [1, 3, 0])
  }
}
