// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

private protocol CartRouting: Routing {
  func routeToPayment()
}

private protocol CartListener: AnyObject {
  func cartDidPay()
}

private final class CartInteractor: Interactor, Connectable {
  weak var router: (any CartRouting)?
  weak var listener: (any CartListener)?

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.routeToPayment()
    listener?.cartDidPay()
  }
}

private final class CartRouter: Router<CartInteractor>, CartRouting {
  private(set) var payments = 0

  func routeToPayment() { payments += 1 }
}

private final class CartParent: CartListener {
  private(set) var payments = 0

  func cartDidPay() { payments += 1 }
}

@Suite("An interactor that is connected by its builder")
struct ConnectableTests {
  /// Knows both by their classes, and records when they are set.
  private final class RecordingInteractor: Interactor, Connectable {
    var steps: [String] = []
    weak var router: Router<RecordingInteractor>? { didSet { steps.append("router") } }
    weak var listener: CartParent? { didSet { steps.append("listener") } }
  }

  @Test("calls both from its first callback on, and keeps neither alive")
  func calling() {
    let interactor = CartInteractor()
    do {
      let parent = CartParent()
      let router = CartRouter(interactor: interactor)
      interactor.connect(to: router, listener: parent).start()
      interactor.deactivate()
      #expect(router.payments == 1)
      #expect(parent.payments == 1)
    }
    #expect(interactor.router == nil)
    #expect(interactor.listener == nil)
  }
  @Test("can know both by their classes; the listener is set first, and a second call replaces both")
  func replacing() {
    let interactor = RecordingInteractor()
    let parents = [CartParent(), CartParent()]
    let router: Router<RecordingInteractor> = interactor.connect(
      to: Router(interactor: interactor), listener: parents[0])
    #expect(interactor.steps == ["listener", "router"])
    #expect(interactor.listener === parents[0])
    #expect(interactor.connect(to: router, listener: parents[1]) === router)
    #expect(interactor.steps == ["listener", "router", "listener", "router"])
    #expect(interactor.router === router)
    #expect(interactor.listener === parents[1])
    withExtendedLifetime((router, parents)) {}
  }
}
