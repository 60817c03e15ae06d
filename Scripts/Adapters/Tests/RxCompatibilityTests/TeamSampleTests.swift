// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RxCompatibility
import Testing

// RIBs as a team with RxSwift writes them: `import RxSwift` and `import RxRelay` are replaced by `import RxCompatibility`,
// and `scheduler: MainScheduler.instance` by `scheduler: self`.

// MARK: A service with Single

struct Place: Equatable, Sendable {
  let name: String
}

protocol PlaceServicing {
  func places(matching text: String) -> Single<[Place]>
  func rename(_ place: Place) -> Single<Place>
}

// MARK: Root

protocol RootActionableItem: AnyObject {
  func waitForLogin() -> Observable<(LoggedInActionableItem, ())>
}

protocol LoggedInActionableItem: AnyObject {
  func launchSearch(for text: String?) -> Observable<(LoggedInActionableItem, ())>
}

protocol RootRouting: Routing {
  func routeToLoggedIn(name: String)
}

final class RootInteractor: Interactor, RootActionableItem {
  weak var router: RootRouting?
  private let loggedInActionableItemSubject = ReplaySubject<LoggedInActionableItem>.create(bufferSize: 1)

  func didLogin(name: String, loggedIn: LoggedInActionableItem) {
    router?.routeToLoggedIn(name: name)
    loggedInActionableItemSubject.onNext(loggedIn)
  }

  func waitForLogin() -> Observable<(LoggedInActionableItem, ())> {
    return
      loggedInActionableItemSubject
      .map { (loggedInItem: LoggedInActionableItem) -> (LoggedInActionableItem, ()) in
        (loggedInItem, ())
      }
  }
}

final class LaunchSearchWorkflow: Workflow<RootActionableItem> {
  private(set) var events: [String] = []

  init(text: String?) {
    super.init()
    let login = onStep { (rootItem: RootActionableItem) -> Observable<(LoggedInActionableItem, ())> in
      rootItem.waitForLogin()
    }
    login
      .onStep { (loggedInItem: LoggedInActionableItem, _) -> Observable<(LoggedInActionableItem, ())> in
        loggedInItem.launchSearch(for: text)
      }
      .commit()
    login
      .asObservable()
      .fork(self)?
      .onStep { [weak self] loggedInItem, _ in
        self?.events.append("forked")
        return Observable.just((loggedInItem, ()))
      }
      .commit()
  }

  override func didFork() { events.append("didFork") }
  override func didComplete() { events.append("didComplete") }
  override func didReceiveError(_ error: Error) { events.append("error \(error)") }
}

// MARK: Logged in

protocol SearchPresentable: Presentable {
  func show(_ places: [Place])
  func showTitle(_ title: String)
}

final class LoggedInInteractor: PresentableInteractor<SearchPresentable>, LoggedInActionableItem {
  private let service: PlaceServicing
  private let text = PublishRelay<String>()
  private let selected = BehaviorRelay<Place?>(value: nil)
  private(set) var failures: [String] = []

  init(presenter: SearchPresentable, service: PlaceServicing) {
    self.service = service
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    text
      .debounce(.milliseconds(300), scheduler: self)
      .distinctUntilChanged()
      .flatMapLatest { [unowned self] text in
        service.places(matching: text)
          .catchAndReturn([])
          .asObservable(scheduler: self)
      }
      .observe(on: MainScheduler.instance)
      .subscribe(onNext: { [weak self] places in
        self?.presenter.show(places)
      })
      .disposeOnDeactivate(interactor: self)
    Observable
      .combineLatest(selected.compactMap { $0 }, text.map(\.count).startWith(0))
      .withUnretained(self)
      .subscribe(onNext: { owner, pair in owner.presenter.showTitle("\(pair.0.name) (\(pair.1))") })
      .disposeOnDeactivate(interactor: self)
  }

  func didType(_ text: String) { self.text.accept(text) }

  func didSelect(_ place: Place) {
    service.rename(place)
      .subscribe(
        onSuccess: { [weak self] place in self?.selected.accept(place) },
        onFailure: { [weak self] error in self?.failures.append("\(error)") }
      )
      .disposeOnDeactivate(interactor: self)
  }

  func launchSearch(for text: String?) -> Observable<(LoggedInActionableItem, ())> {
    if let text {
      didType(text)
    }
    return Observable.just((self, ()))
  }
}

// MARK: Mocks as mock generators write them

final class PlaceServicingMock: PlaceServicing {
  var placesHandler: ((String) -> Single<[Place]>)?
  private(set) var placesCallCount = 0

  func places(matching text: String) -> Single<[Place]> {
    placesCallCount += 1
    return placesHandler?(text) ?? .never()
  }

  func rename(_ place: Place) -> Single<Place> { .just(place) }
}

final class SearchPresentableMock: SearchPresentable {
  private(set) var shown: [[Place]] = []
  private(set) var titles: [String] = []

  func show(_ places: [Place]) { shown.append(places) }
  func showTitle(_ title: String) { titles.append(title) }
}

final class InteractableMock: Interactable {
  var isActive = false
  var isActiveStreamSubject: PublishSubject<Bool> = PublishSubject()
  var isActiveStream: Observable<Bool> { return isActiveStreamSubject }

  func activate() {
    isActive = true
    isActiveStreamSubject.onNext(true)
  }

  func deactivate() {
    isActive = false
    isActiveStreamSubject.onNext(false)
  }
}

@Suite("The code of a team with RxSwift")
struct TeamSampleTests {
  private let test = TestTree(recording: [])
  private let service = PlaceServicingMock()
  private let presenter = SearchPresentableMock()

  @Test("searches with debounce and Single, and shows what arrives")
  func search() {
    let interactor = LoggedInInteractor(presenter: presenter, service: service)
    service.placesHandler = { .just([Place(name: $0)]) }
    test.launch(interactor: interactor)
    interactor.didType("L")
    interactor.didType("Lo")
    test.advance(by: .milliseconds(300))
    #expect(service.placesCallCount == 1)
    #expect(presenter.shown == [[Place(name: "Lo")]])
    interactor.didSelect(Place(name: "Lodz"))
    #expect(presenter.titles == ["Lodz (2)"])
    service.placesHandler = { _ in .error(CancellationError()) }
    interactor.didType("Lod")
    test.advance(by: .milliseconds(300))
    #expect(presenter.shown.count == 2 && presenter.titles == ["Lodz (2)", "Lodz (3)"] && interactor.failures.isEmpty)
    test.finish()
  }

  @Test("runs a workflow of steps that return streams, with a fork")
  func workflow() {
    let root = RootInteractor()
    let loggedIn = LoggedInInteractor(presenter: presenter, service: service)
    let router = Router(interactor: root)
    let child = Router(interactor: loggedIn)
    test.launch(router)
    let workflow = LaunchSearchWorkflow(text: "Lodz")
    workflow.isKeptWhenDone = true
    workflow.subscribe(root).disposeOnDeactivate(interactor: root)
    test.settle()
    #expect(workflow.events == ["didFork"])
    router.attachChild(child)
    root.didLogin(name: "r", loggedIn: loggedIn)
    test.settle()
    #expect(workflow.events == ["didFork", "forked", "didComplete"])
    test.advance(by: .milliseconds(300))
    #expect(service.placesCallCount == 1)
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("starts a chain from any stream")
  func forkOfStream() {
    let root = RootInteractor()
    let router = Router(interactor: root)
    test.launch(router)
    let loggedIn = LoggedInInteractor(presenter: presenter, service: service)
    let child = Router(interactor: loggedIn)
    let logins = ReplaySubject<(LoggedInActionableItem, Int)>.create(bufferSize: 1)
    let workflow = Workflow<RootActionableItem>()
    var seen: [Int] = []
    logins.fork(workflow)?
      .onStep { item, number -> Observable<(LoggedInActionableItem, ())> in
        seen.append(number)
        return .just((item, ()))
      }
      .commit()
    workflow.subscribe(root).disposeOnDeactivate(interactor: root)
    test.settle()
    router.attachChild(child)
    logins.onNext((loggedIn, 7))
    test.settle()
    #expect(seen == [7])
    test.finish()
  }

  @Test("has mocks whose subjects are streams")
  func mocks() {
    let interactable = InteractableMock()
    let parent = Router(interactor: Interactor())
    parent.interactor.activate()
    let router = Router(interactor: interactable)
    let seen = StreamRecorder(interactable.isActiveStream)
    parent.attachChild(router)
    parent.detachChild(router)
    #expect(seen.values == [true, false] && !interactable.isActive)
  }
}
