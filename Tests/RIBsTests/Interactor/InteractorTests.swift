// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("An interactor")
struct InteractorTests {
  private let test = TestTree(recording: [])

  @Test("resigns when it is released active, and ends its stream")
  func release() throws {
    var interactor: ProbeInteractor? = ProbeInteractor("it", in: test.transcript)
    let values = StreamRecorder(try #require(interactor).isActiveStream)
    interactor?.activate()
    if let interactor {
      Disposables.create { [test] in test.transcript.write("disposed") }.disposeOnDeactivate(interactor: interactor)
    }
    interactor = nil
    values.expect(false, true, false)
    #expect(values.hasEnded)
    test.expect("it active true", "it gone", "it resigns true", "disposed")
  }

  @Test("disposes of what is bound to it after willResignActive and before it is inactive, the last bound first")
  func disposal() {
    let interactor = ProbeInteractor("it", in: test.transcript)
    interactor.activate()
    let bound = ["first", "second"].map { name in
      Disposables.create { [test, unowned interactor] in test.transcript.write("\(name) ends \(interactor.isActive)") }
        .disposeOnDeactivate(interactor: interactor)
    }
    #expect(bound.map(\.hasEnded) == [false, false])
    interactor.deactivate()
    test.expect("it active true", "it resigns true", "second ends true", "first ends true")
    #expect(bound.map(\.hasEnded) == [true, true])
  }

  @Test("calls no callback of an activation that an observer of its activity has ended, and none twice")
  func endedByObserver() {
    let interactor = ProbeInteractor("it", in: test.transcript)
    let observer = interactor.isActiveStream.subscribe(onNext: { [unowned interactor] isActive in
      if isActive { interactor.deactivate() }
    })
    interactor.activate()
    #expect(!interactor.isActive)
    test.expect()
    observer.dispose()
    for _ in 0..<2 { interactor.activate() }
    test.expect("it active true")
    for _ in 0..<2 { interactor.deactivate() }
    test.expect("it resigns true")
  }

  @Test("disposes at once of what is bound to it while it is inactive, and reports it")
  func bindingInactive() {
    let interactor = ProbeInteractor("it", in: test.transcript)
    let kinds = misuses {
      Disposables.create { [test] in test.transcript.write("disposed") }.disposeOnDeactivate(interactor: interactor)
      test.expect("disposed")
    }
    #expect(kinds == [.subscriptionWhileInactive])
  }

  @Test("confines a stream to its activity, and delivers no value twice")
  func confine() {
    let interactor = ProbeInteractor("it", in: test.transcript)
    let relay = PublishRelay<Int>()
    let values = StreamRecorder(relay.confineTo(interactor))
    relay.accept(1)
    relay.accept(2)
    values.expect()
    interactor.activate()
    values.expect(2)
    relay.accept(3)
    interactor.deactivate()
    interactor.activate()
    values.expect(3)
    interactor.deactivate()
    relay.accept(4)
    interactor.activate()
    values.expect(4)
  }
}
