import RIBs
import Testing

@Suite("An interactor")
struct InteractorTests {
  private let log = Log()

  @Test("is inactive until it is activated, and its flag and stream agree")
  func activity() {
    let interactor = ProbeInteractor("it", log)
    var values: [Bool] = []
    let subscription = interactor.isActiveStream.subscribe { values.append($0) }
    #expect(!interactor.isActive)
    interactor.activate()
    #expect(interactor.isActive)
    interactor.deactivate()
    #expect(!interactor.isActive)
    #expect(values == [false, true, false])
    subscription.dispose()
  }

  @Test("is told once for each change, and is active in both callbacks")
  func callbacks() {
    let interactor = ProbeInteractor("it", log)
    interactor.deactivate()
    interactor.activate()
    interactor.activate()
    interactor.deactivate()
    interactor.deactivate()
    #expect(log.lines == ["it active true", "it resigns true"])
  }

  @Test("resigns when it is released active, and ends its stream")
  func release() {
    var values: [String] = []
    var interactor: ProbeInteractor? = ProbeInteractor("it", log)
    _ = interactor?.isActiveStream.subscribe(
      onNext: { values.append("\($0)") }, onCompleted: { values.append("end") })
    interactor?.activate()
    let isDisposed = Flag()
    if let interactor {
      Disposables.create { isDisposed.isSet = true }.disposeOnDeactivate(interactor: interactor)
    }
    interactor = nil
    #expect(values == ["false", "true", "false", "end"])
    #expect(log.lines == ["it active true", "it gone", "it resigns true"])
    #expect(isDisposed.isSet)
  }

  @Test("disposes of what is bound to it after willResignActive and before it is inactive, the last bound first")
  func disposal() {
    let interactor = ProbeInteractor("it", log)
    interactor.activate()
    for name in ["first", "second"] {
      Disposables.create { [log, unowned interactor] in log.lines.append("\(name) ends \(interactor.isActive)") }
        .disposeOnDeactivate(interactor: interactor)
    }
    interactor.deactivate()
    #expect(log.lines == ["it active true", "it resigns true", "second ends true", "first ends true"])
  }

  @Test("disposes at once of what is bound to it while it is inactive, and reports it")
  func bindingInactive() {
    let interactor = ProbeInteractor("it", log)
    let isDisposed = Flag()
    let kinds = misuses {
      Disposables.create { isDisposed.isSet = true }.disposeOnDeactivate(interactor: interactor)
    }
    #expect(isDisposed.isSet)
    #expect(kinds == [.subscriptionOfInactive])
  }

  @Test("confines a stream to its activity, and delivers no value twice")
  func confine() {
    let interactor = ProbeInteractor("it", log)
    let relay = PublishRelay<Int>()
    var values: [Int] = []
    let subscription = relay.confineTo(interactor).subscribe { values.append($0) }
    relay.accept(1)
    relay.accept(2)
    #expect(values == [])
    interactor.activate()
    #expect(values == [2])
    relay.accept(3)
    interactor.deactivate()
    interactor.activate()
    #expect(values == [2, 3])
    interactor.deactivate()
    relay.accept(4)
    interactor.activate()
    #expect(values == [2, 3, 4])
    subscription.dispose()
  }

  @Test("activated by hand lets its router's children wait until the router is loaded")
  func byHand() {
    let router = ProbeRouter("router", log)
    router.attachChild(ProbeRouter("child", log))
    router.interactable.activate()
    #expect(log.lines == ["router active true"])
    router.load()
    #expect(log.lines == ["router active true", "router didLoad", "child active true", "child didLoad"])
    router.interactable.deactivate()
    #expect(log.lines.suffix(2) == ["child resigns true", "router resigns true"])
  }

  final class Flag {
    var isSet = false
  }
}
