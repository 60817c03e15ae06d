// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RxCompatibility
import Testing

private final class ItemInteractor: Interactor {
  var log: [String] = []

  override func didFail(_ error: any Error, of work: BoundWork) { log.append("didFail") }
}

private final class LoggedWorkflow: Workflow<ItemInteractor> {
  var log: [String] = []

  override init(timeout: Duration? = .seconds(30)) {
    super.init(timeout: timeout)
    isKeptWhenDone = true
  }

  override func didComplete() { log.append("didComplete") }
  override func didFork() { log.append("didFork") }
  override func didReceiveError(_ error: any Error) { log.append("error") }
}

@Suite("A step of a workflow that returns a stream")
struct WorkflowTests {
  private let test = TestTree(recording: [])
  private let root = ItemInteractor()
  private let child = Router(interactor: ItemInteractor())
  private let router: Router<ItemInteractor>
  private let workflow = LoggedWorkflow()

  init() {
    router = Router(interactor: root)
    test.launch(router)
    router.attachChild(child)
  }

  private func start() {
    workflow.subscribe(root).disposeOnDeactivate(interactor: root)
    test.settle()
  }

  @Test("ends with the first value, at once or later, and both forms stand in one chain")
  func firstValue() {
    let login = PublishRelay<(ItemInteractor, String)>()
    let (workflow, item) = (workflow, child.interactor)
    workflow
      .onStep { root in Observable.just((root, "now")) }
      .onStep { _, value in
        workflow.log.append("with \(value)")
        return login.asObservable()
      }
      .onStep { next, value in
        workflow.log.append("at child \(next === item), \(value)")
        return (next, ())
      }
      .commit()
    start()
    #expect(workflow.log == ["with now"])
    login.accept((item, "first"))
    login.accept((root, "second"))
    test.settle()
    #expect(workflow.log == ["with now", "at child true, first", "didComplete"])
    test.finish()
  }

  @Test("fails if the stream completes without a value, or takes longer than its timeout")
  func failure() {
    workflow.onStep { _ in Observable<(ItemInteractor, Void)>.empty() }.commit()
    workflow.onStep(timeout: .seconds(5)) { _ in Observable<(ItemInteractor, Void)>.never() }.commit()
    start()
    #expect(workflow.log == ["error"])
    test.advance(by: .seconds(5))
    #expect(workflow.log == ["error", "error"] && root.log == ["didFail", "didFail"])
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("is disposed of when the item resigns")
  func resigns() {
    let (workflow, item) = (workflow, child.interactor)
    workflow
      .onStep { _ in Observable.just((item, ())) }
      .onStep { _, _ in
        Observable<(ItemInteractor, Void)>.create { _ in
          Disposables.create { [weak workflow] in workflow?.log.append("disposed") }
        }
      }
      .commit()
    child.expectsReattachment = true
    start()
    router.detachChild(child)
    test.settle()
    #expect(workflow.log == ["disposed", "error"])
    test.finish()
  }

  @Test("infers the types of a long chain of closures that call methods")
  func inference() {
    workflow
      .onStep { root in root.next() }
      .onStep { item, _ in item.next() }
      .onStep { item, _ in await item.next().first() }
      .onStep { item, _ in item.next() }
      .onStep { item, _ in await item.next().first() }
      .onStep { item, _ in item.next() }
      .commit()
    start()
    #expect(workflow.log == ["didComplete"])
    test.finish()
  }
}

extension ItemInteractor {
  fileprivate func next() -> Observable<(ItemInteractor, Void)> { .just((self, ())) }
}
