// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

/// An object confined to a tree.
private final class Model {
  let number: Int
  init(_ number: Int) { self.number = number }
}

@Suite("The values of a stream as a sequence")
struct ValuesTests {
  @Test("are buffered in order while the loop is busy, and end with the stream")
  @MainActor
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

  @Test("may be of a type that is not Sendable")
  func nonSendable() {
    let test = TestTree(recording: [])
    let root = test.launch(Scripted.RootRouter())
    let relay = BehaviorRelay(value: Model(1))
    root.interactor.task {
      for await model in relay.values {
        test.transcript.write("\(model.number)")
        if model.number == 3 { break }
        relay.accept(Model(model.number + 1))
      }
      test.transcript.write("ended")
    }
    test.settle()
    test.expect("1\n2\n3\nended")
    test.finish()
  }

  @Test("end with the scope of the work they are iterated in, even if some are buffered")
  func cancellation() {
    let test = TestTree(recording: [])
    let root = test.launch(Scripted.RootRouter())
    let relay = PublishRelay<Int>()
    let watched = relay.watched { if $0 < 0 { test.transcript.write("disposed") } }
    root.interactor.task {
      test.transcript.write("begun")
      for await value in watched.values {
        test.transcript.write("\(value)")
        // The tree ends while this value is processed and the next one is buffered.
        test.tree?.end()
      }
      test.transcript.write("ended")
    }
    test.settle()
    test.expect("begun")
    relay.accept(1)
    relay.accept(2)
    test.settle()
    test.expect("1\ndisposed\nended")
    test.finish()
  }

  @Test("are unsubscribed from when the iterator is released")
  @MainActor
  func release() async {
    let relay = BehaviorRelay(value: 1)
    var log: [String] = []
    let source = relay.watched { if $0 < 0 { log.append("disposed") } }
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
  @Test("delivers while the scope is active, and the latest kept value once on activation")
  func confine() {
    let interactor = Scripted.Interactor()
    var relay: PublishRelay<Int>? = PublishRelay()
    guard let stream = relay?.asObservable() else { return }
    let recorder = StreamRecorder(stream.confineTo(interactor))
    relay?.accept(1)
    relay?.accept(2)
    recorder.expect()
    interactor.activate()
    recorder.expect(2)
    relay?.accept(3)
    interactor.deactivate()
    interactor.activate()
    recorder.expect(3)
    interactor.deactivate()
    relay?.accept(4)
    relay = nil
    recorder.expect()
    #expect(!recorder.hasEnded)
    interactor.activate()
    recorder.expect(4)
    #expect(recorder.hasEnded)
  }

  @Test("keeps what comes after a delivery in which the scope has resigned")
  func resigned() {
    let (interactor, relay) = (Scripted.Interactor(), PublishRelay<Int>())
    var heard: [Int] = []
    let subscription = relay.confineTo(interactor).subscribe(onNext: { value in
      heard.append(value)
      guard value == 1 || value == 3 else { return }
      interactor.deactivate()
      relay.accept(value + 1)
      guard value == 3 else { return }
      interactor.activate()
      relay.accept(5)
    })
    relay.accept(1)
    interactor.activate()
    #expect(heard == [1])
    interactor.activate()
    #expect(heard == [1, 2])
    interactor.deactivate()
    relay.accept(3)
    interactor.activate()
    // Not 4 after 5.
    #expect(heard == [1, 2, 3, 5])
    subscription.dispose()
  }

  @Test("completes with its source when no value is kept, and with the interactor")
  func end() {
    var interactor: Scripted.Interactor? = Scripted.Interactor()
    guard let stream = interactor.map({ PublishRelay<Int>().confineTo($0) }) else { return }
    let relay = PublishRelay<Int>()
    guard let other = interactor.map({ relay.confineTo($0) }) else { return }
    let (kept, open) = (StreamRecorder(stream), StreamRecorder(other))
    interactor?.activate()
    kept.expect()
    #expect(kept.hasEnded)
    interactor = nil
    relay.accept(1)
    open.expect()
    #expect(open.hasEnded)
  }

  @Test("is disposed of when the interactor resigns, if it is bound to it")
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
