import RIBs
import Testing

/// Lives in a tree only.
private final class Model {
  let number: Int
  init(_ number: Int) { self.number = number }
}

@Suite("The values of a stream as a sequence")
@MainActor
struct ValuesTests {
  @Test("wait in order while the loop is busy, and end with the stream")
  func buffering() async {
    var relay: BehaviorRelay<Int>? = BehaviorRelay(value: 0)
    guard let values = relay?.values else { return }
    var iterator = values.makeAsyncIterator()
    for number in 1...200 { relay?.accept(number) }
    relay = nil
    var seen: [Int] = []
    while let value = await iterator.next(isolation: #isolation) { seen.append(value) }
    #expect(seen == Array(0...200))
    #expect(await iterator.next(isolation: #isolation) == nil)
  }

  @Test("may be of a type that can't leave the tree")
  func nonSendable() async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let (results, result) = AsyncStream<[Int]>.makeStream()
    let relay = BehaviorRelay(value: Model(1))
    root.interactor.task {
      var seen: [Int] = []
      for await model in relay.values {
        seen.append(model.number)
        if model.number == 3 { break }
        relay.accept(Model(model.number + 1))
      }
      result.yield(seen)
    }
    #expect(await first(of: results) == [1, 2, 3])
    await tree.shutdown()
  }

  @Test("end with the scope of the work they are iterated in, also when some wait")
  func cancellation() async {
    let journal = Journal()
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let relay = PublishRelay<Int>()
    var isWatched = true
    let watched = Observable<Int>.create { observer in
      let subscription = relay.subscribe(onNext: observer.onNext)
      return Disposables.create {
        subscription.dispose()
        isWatched = false
      }
    }
    root.interactor.task {
      journal.write("begun")
      for await value in watched.values {
        journal.write("\(value)")
        // The tree ends while this value is looked at, and the next one waits.
        tree.end()
      }
      journal.write("ended")
    }
    await journal.wait(for: "begun")
    // The loop has subscribed when the main actor is free again.
    relay.accept(1)
    relay.accept(2)
    await journal.wait(for: "ended")
    #expect(journal.lines == ["begun", "1", "ended"])
    #expect(!isWatched)
    await tree.shutdown()
  }

  @Test("are unsubscribed from when the iterator is released")
  func release() async {
    let relay = BehaviorRelay(value: 1)
    var log: [String] = []
    let source = Observable<Int>.create { observer in
      let subscription = relay.subscribe(onNext: observer.onNext)
      return Disposables.create {
        subscription.dispose()
        log.append("disposed")
      }
    }
    for await value in source.values {
      log.append("\(value)")
      break
    }
    #expect(log == ["1", "disposed"])
    relay.accept(2)
    #expect(log == ["1", "disposed"])
  }
}

@Suite("A stream confined to a scope")
struct ConfineTests {
  @Test("delivers while the scope is active, and the newest value kept when it becomes so, once")
  func confine() {
    let interactor = Scripted.Interactor()
    var relay: PublishRelay<Int>? = PublishRelay()
    guard let stream = relay?.asObservable() else { return }
    let listener = Listener(stream.confineTo(interactor))
    relay?.accept(1)
    relay?.accept(2)
    #expect(listener.text == "")
    interactor.activate()
    #expect(listener.text == "2")
    relay?.accept(3)
    interactor.deactivate()
    interactor.activate()
    #expect(listener.text == "2 3")
    interactor.deactivate()
    relay?.accept(4)
    relay = nil
    #expect(listener.text == "2 3")
    interactor.activate()
    #expect(listener.text == "2 3 4 |")
  }

  @Test("ends with its source when nothing is kept, and with the interactor")
  func end() {
    var interactor: Scripted.Interactor? = Scripted.Interactor()
    guard let stream = interactor.map({ BehaviorRelay(value: 1).asObservable().confineTo($0) }) else { return }
    let relay = PublishRelay<Int>()
    guard let other = interactor.map({ relay.confineTo($0) }) else { return }
    let (kept, open) = (Listener(stream), Listener(other))
    interactor?.activate()
    #expect(kept.text == "|")
    interactor = nil
    relay.accept(1)
    #expect(open.text == "|")
  }

  @Test("is disposed of when the interactor resigns, if it is bound to that")
  func bound() {
    let interactor = Scripted.Interactor()
    let relay = BehaviorRelay(value: 1)
    var heard: [Int] = []
    interactor.onActive = { interactor in
      relay.confineTo(interactor).subscribe(onNext: { heard.append($0) }).disposeOnDeactivate(interactor: interactor)
    }
    interactor.activate()
    interactor.deactivate()
    relay.accept(2)
    #expect(heard == [1])
  }
}
