// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceLint
import SourceModel
import SourceTree
import Testing

/// Sources that break a rule, or that respect it.
struct Example: CustomTestStringConvertible, Sendable {
  let rule: Rule
  let name: String
  let text: String
  /// The lines that break the rule.
  let lines: [Int]

  var testDescription: String { "\(rule.rawValue): \(name)" }

  init(_ rule: Rule, _ name: String, _ lines: [Int] = [], _ text: String) {
    self.rule = rule
    self.name = name
    self.text = text
    self.lines = lines
  }

  /// A child with a builder, in eleven lines.
  static let child = """
    protocol ChildDependency: Dependency {}
    protocol ChildListener: AnyObject {}
    protocol ChildRouting: Routing {}
    protocol ChildBuildable: Buildable { func build(withListener listener: ChildListener) -> ChildRouting }
    final class ChildBuilder: Builder<ChildDependency>, ChildBuildable {
      func build(withListener listener: ChildListener) -> ChildRouting {
        ChildRouter(interactor: ChildInteractor())
      }
    }
    final class ChildInteractor: Interactor {}
    final class ChildRouter: Router<ChildInteractor>, ChildRouting {}

    """

  static let all: [Example] = [
    Example(
      .unsavedChildren, "in a slot, a stack and a list", [2, 3, 6],
      """
      final class ARouter: Router<AInteractor> {
        private lazy var stage = ChildSlot<Stage>(of: self) { router, stage in router.build(stage) }
        private lazy var screens = ChildStack<Screen>(of: self) { router, screen in router.build(screen) }
      }
      final class BRouter: Router<BInteractor> {
        private let taxis: ChildList<Taxi>
        private lazy var stage = ChildSlot<Stage>(of: self) { router, stage in router.build(stage) }
        override var savedChildren: [SavedChildren] { [stage.saved(as: "stage")] }
      }
      enum Stage: String, Codable { case one, two }
      struct Screen: Equatable, Encodable, Decodable {}
      struct Taxi: Identifiable, Equatable {}
      extension Taxi: Codable {}
      """),
    Example(
      .unsavedChildren, "with routes of the standard library and of Foundation", [2, 3, 4],
      """
      final class ARouter: Router<AInteractor> {
        private lazy var page = ChildSlot<Int>(of: self) { router, page in router.build(page) }
        private lazy var names = ChildStack<String>(of: self, covered: .kept) { router, name in router.build(name) }
        private let paths: ChildList<[UUID]>
        private lazy var keys = ChildSlot<AnyHashable>(of: self) { router, key in router.build(key) }
        private lazy var done = ChildSlot<Bool>(of: self) { router, isDone in router.build(isDone) }
        override var savedChildren: [SavedChildren] { [done.saved(as: "done")] }
      }
      """),
    Example(
      .unsavedChildren, "listed, not Codable, of an unknown type, or in something else", [],
      """
      final class ARouter: Router<AInteractor> {
        private lazy var stage = ChildSlot<Stage>(of: self) { router, stage in router.build(stage) }
        private lazy var screens = ChildStack<Screen>(of: self) { router, screen in router.build(screen) }
        private lazy var rows = ChildList<Row>(of: self) { router, row in router.build(row) }
        override var savedChildren: [SavedChildren] { [self.stage.saved(as: "stage")] }
      }
      final class BRouter: Router<BInteractor> {
        private lazy var stage = ChildSlot<Stage>(of: self) { router, stage in router.build(stage) }
        override var savedChildren: [SavedChildren] {
          if isOld { return [] }
          return [stage.saved(as: "stage")]
        }
      }
      final class Keeper { lazy var stage = ChildSlot<Stage>(of: router) { router, stage in router.build(stage) } }
      enum Stage: Codable { case one, two }
      struct Screen: Equatable, Decodable {}
      """),
    Example(
      .resetSavedState, "set to a constant when it becomes active", [5, 6, 13],
      """
      final class AInteractor: Interactor, Saving {
        var savedState = SavedState()
        override func didBecomeActive() {
          super.didBecomeActive()
          savedState.rings = 0
          self.savedState = SavedState()
          print(savedState)
        }
      }
      final class BInteractor: Interactor {
        override func didBecomeActive() {
          super.didBecomeActive()
          step = .first
        }
        private var step = Step.first
      }
      extension BInteractor: Saving {
        var savedState: Step { get { step } set { step = newValue } }
      }
      """),
    Example(
      .resetSavedState, "derived from itself, set under a condition, or not saved", [],
      """
      final class AInteractor: Interactor, Saving {
        var savedState = SavedState()
        private var count = 0
        override func didBecomeActive() {
          super.didBecomeActive()
          count = 0
          let end = savedState.end ?? clock.now + 5
          savedState.end = end
          if savedState.isNew { savedState.step = .first }
          task { self.savedState.rings = 0 }
        }
        func reset() { savedState = SavedState() }
      }
      final class BInteractor: Interactor {
        var savedState = 0
        override func didBecomeActive() {
          super.didBecomeActive()
          savedState = 0
        }
      }
      """),
    Example(
      .savedNodeID, "in a state, and in what it contains", [2, 5, 12],
      """
      final class AInteractor: Interactor, Saving {
        struct SavedState: Codable { var sender: NodeID? ; var rides: [Ride] = [] }
        var savedState = SavedState()
      }
      struct Ride: Codable { let ids: [NodeID] }
      final class BInteractor: Interactor, Saving {
        var savedState: Int = 0
      }
      final class CInteractor: Interactor, Saving {
        private var id: NodeID?
        init() {}
        var savedState: NodeID? { get { id } set { id = newValue } }
      }
      """),
    Example(
      .savedNodeID, "elsewhere", [],
      """
      final class AInteractor: Interactor, Saving {
        struct SavedState: Codable { var rider: Rider }
        var savedState: SavedState
        private var sender: NodeID?
      }
      struct Rider: Codable { let id: UInt64; var node: NodeID? { nil } }
      final class BInteractor: Interactor { struct SavedState { var sender: NodeID } }
      """),
    Example(
      .weakListener, "held strongly by an interactor, a presenter and a view controller", [2, 5, 8],
      """
      final class AInteractor: PresentableInteractor<APresentable> {
        var listener: AListener?
      }
      final class APresenter: Presenter<AViewControllable> {
        let listener: any APresentableListener
      }
      final class AViewController: UIViewController {
        private var listener: APresentableListener? { didSet { show() } }
      }
      """),
    Example(
      .weakListener, "held strongly in other ways to write an optional type", [1, 2, 3, 4],
      """
      final class AInteractor: Interactor { var listener: Optional<any AListener> }
      final class BInteractor: Interactor { var listener: Swift.Optional<BListener> = nil }
      final class CInteractor: Interactor { var listener = nil as (any CListener)? }
      final class DInteractor: Interactor { var listener = (nil as Optional<DListener>) }
      final class EInteractor: Interactor { weak var listener = nil as (any EListener)? }
      """),
    Example(
      .weakListener, "held weakly, computed, of another kind, or in something else", [],
      """
      final class AInteractor: Interactor {
        weak var listener: AListener?
        var other: AListener? { listener }
        private let audioListener: AudioListener
      }
      final class BInteractor: AInteractor { unowned let listener: BListener }
      struct Context { var listener: AListener? }
      protocol AInteractable: Interactable { var listener: AListener? { get set } }
      final class AInteractableMock: Interactor { var listener: AListener? }
      """),
    Example(
      .weakRouter, "held strongly in other ways to write an optional type", [1, 2],
      """
      final class AInteractor: Interactor { var router: Optional<any ARouting> }
      final class BInteractor: Interactor { var router = nil as (any BRouting)? }
      """),
    Example(
      .weakRouter, "held strongly by an interactor", [2, 5],
      """
      final class AInteractor: Interactor {
        var router: ARouting?
      }
      final class BInteractor: AInteractor {
        private(set) var router: (any BRouting)?
      }
      """),
    Example(
      .weakRouter, "held weakly, or in something else", [],
      """
      final class AInteractor: Interactor {
        weak var router: ARouting?
        private let router2: NetworkRouter
      }
      final class AppDelegate { private var router: LaunchRouting? }
      """),
    Example(
      .weakHost, "held strongly by a part of a RIB", [2, 5, 8],
      """
      final class AInteractor: Interactor {
        var host: TreeHost<ARouter>?
      }
      final class ARouter: Router<AInteractor> {
        private let owner: TreeHost<ARouter>
      }
      final class AComponent: Component<EmptyDependency> {
        lazy var host: TreeHost<ARouter>? = nil
      }
      """),
    Example(
      .weakHost, "held weakly, or outside the tree", [],
      """
      final class AInteractor: Interactor {
        weak var host: TreeHost<ARouter>?
      }
      actor Sessions {
        private var host: TreeHost<ARouter>?
      }
      """),
    Example(
      .attachWithoutDetach, "attached by a method that may be called again", [3, 9],
      """
      final class ARouter: Router<AInteractor> {
        let childBuilder: ChildBuilder
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class BInteractor: Interactor {
        func tap() { router?.routeToChild() }
      }
      final class BRouter: Router<BInteractor> {
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      """),
    Example(
      .attachWithoutDetach, "detached in an extension, by a base class, by a container, or there to stay", [],
      """
      final class ARouter: Router<AInteractor> {
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      extension ARouter { func detach() { detachChild(child) } }
      class BaseRouter<I>: Router<I> { func pop(_ child: Routing) { detachChild(child) } }
      final class BRouter: BaseRouter<BInteractor> {
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class CRouter: Router<CInteractor> {
        override func didLoad() {
          super.didLoad()
          attachTabs()
        }
        private func attachTabs() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class DRouter: Router<DInteractor> {
        private lazy var slot = ChildSlot<Int>(of: self) { router, _ in router.childBuilder.build() }
        func routeToChild() { slot.route = 1 }
      }
      final class ERouter: OurRouter<EInteractor> {
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class GInteractor: Interactor {
        weak var router: GRouting?
        override func didBecomeActive() {
          super.didBecomeActive()
          router?.routeToChild()
        }
      }
      final class GRouter: Router<GInteractor>, GRouting {
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class FRouter: Router<FInteractor> {
        func routeToChild() { attachChild(child) }
        func back() { popRouter(child) }
      }
      """),
    Example(
      .attachWithoutDetach, "attached once: by helpers of 'didLoad' or of becoming active, or where none is there yet",
      [],
      """
      final class ARouter: Router<AInteractor>, ARouting {
        override func didLoad() {
          super.didLoad()
          setUp()
        }
        func setUp() { attachTabs() }
        func attachTabs() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class BInteractor: Interactor {
        weak var router: BRouting?
        override func didBecomeActive() {
          super.didBecomeActive()
          start()
        }
        private func start() { router?.attachChat() }
      }
      final class BRouter: Router<BInteractor>, BRouting {
        func attachChat() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class CRouter: Router<CInteractor>, CRouting {
        private var chat: Routing?
        private var feed: Routing?
        func attachChat() {
          guard chat == nil else { return }
          let router = childBuilder.build(withListener: interactor)
          chat = router
          attachChild(router)
        }
        func attachFeed() {
          if feed != nil { return }
          let router = childBuilder.build(withListener: interactor)
          attachChild(router)
          feed = router
        }
      }
      final class DRouter: Router<DInteractor> {
        func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
        func leave() { children.forEach(detachChild) }
      }
      """),
    Example(
      .attachWithoutDetach, "attached by a helper of 'didLoad' that others ask for too, or kept without being asked",
      [6, 14],
      """
      final class ARouter: Router<AInteractor>, ARouting {
        override func didLoad() {
          super.didLoad()
          attachTab()
        }
        func attachTab() { attachChild(childBuilder.build(withListener: interactor)) }
      }
      final class AInteractor: Interactor { func tap() { router?.attachTab() } }
      final class BRouter: Router<BInteractor>, BRouting {
        private var chat: Routing?
        func attachChat() {
          let router = childBuilder.build(withListener: interactor)
          chat = router
          attachChild(router)
        }
      }
      """),
    Example(
      .buildWithoutAttach, "shown and not attached, dropped, or kept for nothing", [16, 17, 18],
      child + """
        final class ARouter: Router<AInteractor> {
          let childBuilder: ChildBuildable
          private var kept: Routing?
          func routeToChild() {
            let child = childBuilder.build(withListener: interactor)
            _ = childBuilder.build(withListener: interactor)
            kept = childBuilder.build(withListener: interactor)
            viewController.present(child.viewControllable)
          }
          func back() { if let kept { detachChild(kept) } }
        }
        """),
    Example(
      .buildWithoutAttach, "stored, shown and detached, in each way to take it from where it is stored",
      [16, 17, 20, 21, 22],
      child + """
        final class ARouter: ViewableRouter<AInteractor, AViewControllable> {
          let childBuilder: ChildBuildable
          var one: ChildRouting?; private var two, three, four, five: ChildRouting?
          func show() {
            one = childBuilder.build(withListener: interactor)
            let child = childBuilder.build(withListener: interactor)
            two = child
            viewController.push(child)
            three = childBuilder.build(withListener: interactor)
            four = childBuilder.build(withListener: interactor)
            five = childBuilder.build(withListener: interactor)
            if let view = three?.viewControllable { viewController.present(view) }
          }
          func back() {
            if let one = one { detachChild(one) }
            guard let gone = two else { return }
            gone.viewControllable.dismiss()
            detachChild(gone)
            while let three = three { detachChild(three); self.three = nil }
            four.map(detachChild)
            guard let five else { return }
            detachChild(five)
          }
        }
        """),
    Example(
      .buildWithoutAttach, "attached when taken from where it is stored, or by itself", [],
      child + """
        final class ARouter: ViewableRouter<AInteractor, AViewControllable> {
          let childBuilder: ChildBuildable
          private var one, two, three: ChildRouting?
          func show() {
            one = childBuilder.build(withListener: interactor)
            two = childBuilder.build(withListener: interactor)
            three = childBuilder.build(withListener: interactor)
            three?.appear(in: self)
            let child = childBuilder.build(withListener: interactor, below: self)
            viewController.push(child.viewControllable)
          }
          func begin() {
            if let one = one { attachChild(one) }
            guard let next = two else { return }
            attachChild(next)
          }
        }
        """),
    Example(
      .buildWithoutAttach, "attached, handed on, or returned", [],
      child + """
        final class ARouter: Router<AInteractor> {
          let childBuilder: ChildBuildable
          var offered: Routing?
          private var kept: [Int: Routing] = [:]
          func routeToChild() {
            let child = childBuilder.build(withListener: interactor)
            attachChild(child)
            let other = childBuilder.build(withListener: interactor)
            navigation.push(other)
            offered = childBuilder.build(withListener: interactor)
            kept[1] = childBuilder.build(withListener: interactor)
          }
          func attach() { if let child = kept[1] { attachChild(child) } }
          func leave() {
            if let child = children.first(where: { $0 is ChildRouting }) as? ChildRouting { detachChild(child) }
            if let child = current() { detachChild(child) }
          }
          private func current() -> ChildRouting? { kept[1] as? ChildRouting }
          func make() -> Routing { childBuilder.build(withListener: interactor) }
          func choose(_ is1: Bool) -> Routing { is1 ? make() : childBuilder.build(withListener: interactor) }
        }
        """),
    Example(
      .buildWithoutAttach, "attached in other words: one of several, later, or by an observer of a property", [],
      child + """
        final class ARouter: Router<AInteractor> {
          let childBuilder: ChildBuildable
          let otherBuilder: ChildBuildable
          private var observed: Routing? {
            didSet { if let observed { attachChild(observed) } }
          }
          private var asked: Routing?
          private lazy var kept = childBuilder.build(withListener: interactor)
          private var made: Routing { childBuilder.build(withListener: interactor) }
          override func didLoad() {
            super.didLoad()
            attachChild(kept)
            attachChild(made)
          }
          func showAll() {
            let all = [childBuilder.build(withListener: interactor), otherBuilder.build(withListener: interactor)]
            all.forEach(attachChild)
            let home = childBuilder.build(withListener: interactor)
            let search = otherBuilder.build(withListener: interactor)
            let tabs: [Routing] = [home, search]
            for tab in tabs { attachChild(tab) }
            viewController.setTabs(tabs.map(\\.viewControllable))
          }
          func showFirst() {
            let first = childBuilder.build(withListener: interactor)
            let second = otherBuilder.build(withListener: interactor)
            [first, second].forEach { attachChild($0) }
          }
          func showPairs() {
            let one = childBuilder.build(withListener: interactor)
            let pairs = [(one, "One")]
            pairs.forEach { router, title in attachChild(router) }
          }
          func showLater() {
            let child = childBuilder.build(withListener: interactor)
            viewController.dismiss { [weak self] in
              guard let self else { return }
              self.attachChild(child)
            }
            defer { attachChild(child) }
          }
          func showObserved() { observed = childBuilder.build(withListener: interactor) }
          func showAsked() {
            asked = childBuilder.build(withListener: interactor)
            asked.map(attachChild)
          }
          func showChosen(_ isFirst: Bool) {
            let chosen: Routing
            if isFirst {
              chosen = childBuilder.build(withListener: interactor)
            } else {
              chosen = otherBuilder.build(withListener: interactor)
            }
            attachChild(chosen)
          }
          func showSwitched(_ route: Route) {
            let child = switch route {
            case .one: childBuilder.build(withListener: interactor)
            case .two: otherBuilder.build(withListener: interactor)
            }
            attachChild(child)
          }
          func showByHelper() {
            let child = childBuilder.build(withListener: interactor)
            present(child, isAnimated: true)
          }
          private func present(_ routing: Routing, isAnimated: Bool) {
            attachChild(routing)
          }
          func leave() { detachChild(kept) }
        }
        """),
    Example(
      .attachWithoutDetach, "in the default of an extension that the class implements itself", [],
      """
      protocol Showing: Routing {}
      extension Showing where Self: Router<AInteractor> { func show(_ child: Routing) { attachChild(child) } }
      final class ARouter: Router<AInteractor>, Showing {
        private var child: Routing?
        func show(_ child: Routing) {
          guard self.child == nil else { return }
          self.child = child
          attachChild(child)
        }
      }
      """),
    Example(
      .buildWithoutAttach, "of builders that build no router: a view, or a service", [],
      """
      protocol ToastBuildable: Buildable { func build(text: String) -> ViewControllable }
      final class ToastBuilder: Builder<ToastDependency>, ToastBuildable {
        func build(text: String) -> ViewControllable { ToastViewController(text: text) }
      }
      protocol TrackerBuildable: Buildable { func build() -> Tracker }
      final class TrackerBuilder: Builder<TrackerDependency>, TrackerBuildable {
        func build() -> Tracker { Tracker() }
      }
      protocol AlertBuildable: Buildable { func build() -> UIViewController }
      final class ARouter: Router<AInteractor> {
        let toastBuilder: ToastBuildable
        let trackerBuilder: TrackerBuildable
        let alertBuilder: AlertBuildable
        let toasts: ToastBuilder
        private var tracker: Tracker?
        func show() {
          let toast = toastBuilder.build(text: "Hello")
          viewController.present(toast.uiviewController)
          let again = toasts.build(text: "Hello")
          viewController.present(again.uiviewController)
          let tracker = trackerBuilder.build()
          tracker.start()
          self.tracker = trackerBuilder.build()
          let alert = alertBuilder.build()
          viewController.present(alert.view)
        }
      }
      """),
    Example(
      .unusedChildBuilder, "received and stored", [13],
      child + """
        final class ARouter: Router<AInteractor> {
          private let childBuilder: any ChildBuildable
          init(interactor: AInteractor, childBuilder: any ChildBuildable) {
            self.childBuilder = childBuilder
            super.init(interactor: interactor)
          }
        }
        """),
    Example(
      .unusedChildBuilder, "used here, in an extension, by an subtype, by others, or no builder of RIBs", [],
      child + """
        class ARouter: Router<AInteractor> {
          private let one: ChildBuildable, two: ChildBuildable
          let three: ChildBuildable
          let four: ChildBuildable
          private let request: RequestBuilder
          func routeToChild() { attachChild(one.build(withListener: interactor)) }
        }
        extension ARouter { func other() { attachChild(self.two.build(withListener: interactor)) } }
        final class BRouter: ARouter { func third() { attachChild(three.build(withListener: interactor)) } }
        final class Elsewhere { func x(_ a: ARouter) { a.four.build(withListener: self) } }
        """),
    Example(
      .orphanRIB, "built by no builder, in a tree", [19],
      child + """
        final class ARouter: LaunchRouter<AInteractor, AView> {
          let childBuilder: ChildBuilder
          func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
        }
        protocol LostListener: AnyObject {}
        final class LostInteractor: Interactor {}
        final class LostBuilder: Builder<LostDependency> { func build() -> Routing { LostRouter(interactor: i) } }
        final class LostRouter: Router<LostInteractor> {}
        """),
    Example(
      .orphanRIB, "a root, one that is built elsewhere, one of a library, or no tree at all", [],
      child + """
        protocol HeldListener: AnyObject {}
        final class HeldBuilder: Builder<HeldDependency> { func build() -> Routing { HeldRouter(interactor: i) } }
        final class HeldRouter: Router<HeldInteractor> {}
        final class RootBuilder: Builder<RootDependency> { func build() -> Routing { RootRouter(interactor: i) } }
        final class RootRouter: Router<RootInteractor> {
          let childBuilder: ChildBuildable
          func routeToChild() { attachChild(childBuilder.build(withListener: interactor)) }
        }
        protocol OpenListener: AnyObject {}
        public final class OpenBuilder: Builder<OpenDependency> { func build() -> Routing { OpenRouter(interactor: i) } }
        final class OpenRouter: Router<OpenInteractor> {}
        func plugins() -> [Any] { [HeldBuilder(dependency: d)] }
        """),
    Example(.orphanRIB, "one that stands alone", [], child),
    Example(
      .missingSuperCall, "left out", [2, 5, 8, 9],
      """
      final class AInteractor: PresentableInteractor<APresentable> {
        override func didBecomeActive() { show() }
      }
      final class ARouter: ViewableRouter<A, V> {
        override func didLoad() { super.other() }
      }
      final class AWorker: Worker {
        override func didStart(_ scope: InteractorScope) {}
        override func didStop() {}
      }
      """),
    Example(
      .missingSuperCall, "made, in something else, or of another method", [],
      """
      class AInteractor: Interactor {
        override func didBecomeActive() {
          super.didBecomeActive()
        }
        override func willResignActive() { defer { super.willResignActive() } }
        override func treeSummary() -> String { "" }
      }
      final class AController: UIViewController { override func didLoad() {} }
      final class Other: Base { override func didBecomeActive() {} }
      """),
    Example(
      .logicInInit, "children, work and messages in initializers", [4, 5, 6, 12],
      """
      final class AInteractor: Interactor {
        init(stream: Stream) {
          super.init()
          stream.values.subscribe(onNext: { _ in })
          task { await self.load() }
          router?.routeToChild()
        }
      }
      final class ARouter: Router<AInteractor> {
        init(interactor: AInteractor, child: ChildBuilder) {
          super.init(interactor: interactor)
          attachChild(child.build())
        }
      }
      """),
    Example(
      .logicInInit, "assignments, closures for later, and other classes", [],
      """
      final class AInteractor: Interactor {
        init(presenter: APresentable) {
          make = { task { } }
          super.init(presenter: presenter)
          presenter.listener = self
          subtitle = title.lowercased()
        }
      }
      final class ARouter: Router<AInteractor> {
        override init(interactor: AInteractor) {
          super.init(interactor: interactor)
          interactor.router = self
        }
      }
      final class Service { init(stream: Stream) { stream.subscribe(onNext: { _ in }) } }
      """),
    Example(
      .unboundTask, "started and let go", [3, 4, 5, 9],
      """
      final class AInteractor: Interactor {
        func tap() {
          Task { await load() }
          _ = Task(priority: .high) { await load() }
          Task.detached { [weak self] in await self?.load() }
        }
      }
      final class AWorker: Worker {
        override func didStart(_ scope: InteractorScope) { Task<Void, Never> { await load() } }
      }
      """),
    Example(
      .unboundTask, "bound, kept, awaited, or elsewhere", [],
      """
      final class AInteractor: Interactor {
        func tap() async {
          task { await self.load() }
          loading = Task { await load() }
          await Task.detached { work() }.value
          Task { await load() }.cancelOnDeactivate(interactor: self)
          let task = Task { await load() }
          await task.value
          Task.isCancelled ? stop() : go()
        }
      }
      final class Service { func go() { Task { await load() } } }
      """),
    Example(
      .unboundTask, "the value of a closure, a getter, a function, or a branch", [],
      """
      final class AInteractor: Interactor {
        var loading: Task<Void, Never> { Task { await load() } }
        var other: Task<Void, Never> { get { Task { await load() } } }
        subscript(index: Int) -> Task<Void, Never> { Task { await load() } }
        func start() -> Task<Void, Never> { Task { [client] in await client.load() } }
        func choose(_ a: Int) -> Task<Void, Never> {
          if a == 0 { Task { await load() } } else if a == 1 { Task { await load() } } else { Task { await load() } }
        }
        func tap() {
          let all = urls.map { url in Task { try await fetch(url) } }
          let made = { Task { await load() } }
          let made = make { () -> Task<Void, Never> in Task { await load() } }
          let one = if a { Task { await load() } } else { Task { await load() } }
          two = switch a {
          case 1: Task { await load() }
          default: Task { await load() }
          }
        }
      }
      """),
    Example(
      .unboundTask, "without a use of the value, in closures, branches, and functions", [3, 4, 5, 6, 8, 10, 14],
      """
      final class AInteractor: Interactor {
        func tap() {
          if a { Task { await load() } } else { go() }
          stream.subscribe { _ in Task { await load() } }
          urls.forEach { url in Task { await load() } }
          let each = urls.map { url in Task { await load() }; return url }
          switch a {
          case 1: Task { await load() }
          default:
            let b = if a { Task { await load() }; 1 } else { 2 }
          }
        }
        func count() -> Int {
          Task { await load() }
          return 1
        }
      }
      """),
    Example(
      .endlessLoop, "of a task that a function returns, in a file that cancels it", [],
      """
      final class AInteractor: Interactor {
        private func start() -> Task<Void, Never> {
          Task {
            for await value in stream { show(value) }
          }
        }
        func end() { kept?.cancel() }
      }
      """),
    Example(
      .endlessLoop, "in a bare task, or in a method that only one calls", [4, 7, 12],
      """
      final class AInteractor: Interactor {
        func follow() {
          Task {
            for await value in stream { show(value) }
          }
          kept = Task { [weak self] in
            for try await value in stream { self?.show(value) }
          }
          Task { await watch() }
        }
        private func watch() async {
          for await value in stream { show(value) }
        }
      }
      """),
    Example(
      .endlessLoop, "in bound work, in what it calls, cancelled, or elsewhere", [],
      """
      final class AInteractor: Interactor {
        func follow() {
          task { for await value in self.stream { self.show(value) } }
          task("watch", overlap: .cancelPrevious) { await self.watch() }
          for value in values { show(value) }
        }
        private func watch() async { for await value in stream { show(value) } }
      }
      final class BInteractor: Interactor {
        private var following: Task<Void, Never>?
        override func didBecomeActive() {
          super.didBecomeActive()
          following = Task { for await value in stream { show(value) } }
        }
        override func willResignActive() {
          super.willResignActive()
          following?.cancel()
        }
      }
      actor Service { func follow() { Task { for await value in stream { show(value) } } } }
      """),
    Example(
      .groupOnTree, "child tasks of bound work", [5, 8, 11, 12, 20],
      """
      final class AInteractor: Interactor {
        func compare(_ ids: [Int]) {
          task {
            self.quotes = try await withThrowingTaskGroup(of: Int.self) { group in
              for id in ids { group.addTask { try await client.quote(id) } }
              return try await group.reduce(into: []) { $0.append($1) }
            }
            await withDiscardingTaskGroup { group in group.addTaskUnlessCancelled { work() } }
          }
          self.task("pair", overlap: .cancelPrevious) { [client] in
            async let one = client.quote(1)
            async let (two, three) = (client.quote(2), client.quote(3))
            self.quotes = try await [one, two, three]
          }
        }
      }
      final class AWorker: Worker {
        override func didStart(_ scope: InteractorScope) {
          super.didStart(scope)
          task { await withTaskGroup(of: Void.self) { group in group.addTask(priority: .low) { work() } } }
        }
      }
      """),
    Example(
      .groupOnTree, "child tasks with an executor, beside the tree, isolated elsewhere, or in other code", [],
      """
      final class AInteractor: Interactor {
        func compare(_ ids: [Int]) {
          task {
            self.quotes = try await inParallel(ids) { id in
              async let one = client.quote(id)
              return try await one
            }
            await withTaskGroup(of: Int.self) { group in
              group.addTask(executorPreference: globalConcurrentExecutor) {
                async let one = client.quote(1)
                return await one
              }
              group.addTask { @MainActor in show() }
            }
          }
          run({ [client] in
            async let one = client.quote(1)
            async let two = client.quote(2)
            return await [one, two]
          }) { quotes in self.quotes = quotes }
          scheduler.task { await withTaskGroup(of: Void.self) { group in group.addTask { work() } } }
          loading = Task { async let one = client.quote(1); return await one }
        }
        func all() async { await withTaskGroup(of: Void.self) { group in group.addTask { work() } } }
      }
      final class Service {
        func go() { task { await withTaskGroup(of: Void.self) { group in group.addTask { work() } } } }
      }
      """),
    Example(
      .executorOffTree, "with an object of the tree, in its classes, in steps and in calls of a host",
      [4, 5, 6, 12, 16, 23, 27],
      """
      final class AInteractor: Interactor {
        func count() {
          task {
            await withTaskExecutorPreference(globalConcurrentExecutor) { await self.add() }
            await withTaskExecutorPreference(executor, operation: { [weak self] in self?.number += 1 })
            Task(executorPreference: globalConcurrentExecutor) { await self.add() }
          }
        }
      }
      final class AWorker: Worker {
        override func didStart(_ scope: InteractorScope) {
          task { await withTaskExecutorPreference(executor) { await self.work() } }
        }
      }
      final class ARouter: Router<AInteractor> {
        func prepare() async { await withTaskExecutorPreference(executor) { self.attachChild(child) } }
      }
      final class OpenRide: Workflow<any RootActionableItem> {
        init(id: Int) {
          super.init()
          onStep { root in await root.waitForLogin().first() }
            .onStep { loggedIn, _ in
              await withTaskExecutorPreference(executor) { await loggedIn.open(id) }
            }
        }
      }
      try await host.perform { await withTaskExecutorPreference(executor) { await $0.interactor.load() } }
      """),
    Example(
      .executorOffTree, "with values, without an executor, isolated elsewhere, or in other code", [],
      """
      final class AInteractor: Interactor {
        func count() {
          task {
            let client = self.client
            self.number = await withTaskExecutorPreference(globalConcurrentExecutor) { await client.count() }
            await withTaskExecutorPreference(nil) { await self.add() }
            Task(executorPreference: executor) { @MainActor in await self.add() }
            group.addTask(executorPreference: executor) { [client = self.client] in await client.count() }
          }
        }
      }
      final class Service {
        func go() async { await withTaskExecutorPreference(executor) { await self.work() } }
      }
      try await host.perform { root in
        let client = root.client
        return await withTaskExecutorPreference(executor) { await client.root.count() }
      }
      """),
    Example(
      .isolatedDeinit, "of classes of a tree", [2, 5, 6, 7],
      """
      @MainActor final class ScreenRouter: Router<AInteractor> {
        isolated deinit { window.close() }
      }
      class BaseInteractor: Interactor {}
      @MainActor final class AInteractor: BaseInteractor { isolated deinit {} }
      @Cache final class AWorker: Worker { isolated deinit {} }
      @MainActor final class AComponent: Component<any ADependency> { isolated deinit {} }
      """),
    Example(
      .isolatedDeinit, "of other classes, and one that is not isolated", [],
      """
      @MainActor final class AViewController: UIViewController { isolated deinit {} }
      actor Session { isolated deinit { tree.end() } }
      final class ARouter: Router<AInteractor> { deinit { log() } }
      """),
    Example(
      .stateSetInsideTask, "as the first thing that a task does", [4, 7, 9],
      """
      final class AInteractor: Interactor {
        func tap() {
          task {
            self.state = .loading(previous: nil)
            self.state = .loaded(try await self.client.load())
          }
          Task { self.isLoading = true }
          task("reload", overlap: .ignoreWhileRunning) {
            self.stateRelay.accept(.loading)
            await self.load()
          }
        }
      }
      """),
    Example(
      .stateSetInsideTask, "before the task, after something else, or of another kind", [],
      """
      final class AInteractor: Interactor {
        func tap() {
          state = .loading(previous: nil)
          task {
            let value = try await self.client.load()
            self.state = .loaded(value)
          }
          task { self.count = 1 }
          task { self.hasSeen = true }
          task { self.state = .loaded(1) }
        }
      }
      final class Model { func tap() { Task { isLoading = true } } }
      """),
    Example(
      .missingComponentConformance, "of the component that a builder is given, there and in itself", [13, 18],
      child + """
        final class AComponent: Component<ADependency> {
          var childBuilder: ChildBuildable { ChildBuilder(dependency: self) }
        }
        final class BComponent: Component<BDependency> {}
        protocol BDependency: Dependency {}
        final class BBuilder: Builder<BDependency> {
          func build() -> Routing {
            let component = BComponent(dependency: dependency)
            return BRouter(interactor: i, childBuilder: ChildBuilder(dependency: component))
          }
        }
        """),
    Example(
      .missingComponentConformance, "there, inherited, in an extension, or not known", [],
      child + """
        final class AComponent: Component<ADependency> {
          var childBuilder: ChildBuildable { ChildBuilder(dependency: self) }
        }
        extension AComponent: ChildDependency {}
        class BaseComponent: Component<BDependency>, ChildDependency {}
        final class BComponent: BaseComponent { lazy var child = ChildBuilder(dependency: self) }
        final class CComponent: Component<CDependency>, Features { lazy var child = ChildBuilder(dependency: self) }
        func make(_ dependency: any ChildDependency) { ChildBuilder(dependency: dependency) }
        typealias Both = ChildDependency & ADependency
        final class DComponent: Component<DDependency>, Both { lazy var child = ChildBuilder(dependency: self) }
        """),
    Example(
      .unstableIdentity, "created for each model of children, or each time", [2, 5, 9],
      """
      struct Ride: Identifiable, Equatable {
        let id = UUID()
      }
      struct Offer: Identifiable, Hashable {
        var id: String { UUID().uuidString }
      }
      protocol Row: Identifiable, Equatable {}
      struct Place: Row {
        var id: UUID = UUID()
      }
      final class ARouter: Router<AInteractor> {
        private lazy var rides = ChildList<Ride>(of: self) { router, ride in router.builder.build(ride) }
      }
      """),
    Example(
      .unstableIdentity, "where children are not made from models", [],
      """
      struct Row: Identifiable, Equatable {
        let id = UUID()
      }
      struct ScreenView: View, Identifiable, Equatable { let id = UUID() }
      """),
    Example(
      .unstableIdentity, "taken from the model, kept by an object, or of no model", [],
      """
      struct Ride: Identifiable {
        let id: UUID
        init(id: UUID = UUID()) { self.id = id }
      }
      final class Session: Identifiable, Equatable { let id = UUID() }
      struct Request { let id = UUID() }
      struct Offer: Identifiable, Equatable { var id: String { number } }
      struct RowOfAView: Identifiable { let id = UUID() }
      struct ScreenView: View, Identifiable, Equatable { let id = UUID() }
      final class ARouter: Router<AInteractor> {
        private lazy var rides = ChildList<Ride>(of: self) { router, ride in router.builder.build(ride) }
      }
      """),
    Example(
      .cycle, "of RIBs that attach each other, or themselves", [7, 14],
      """
      final class ARouter: Router<AInteractor> {
        override func didLoad() { attachChild(BRouter(interactor: b)) }
      }
      final class BRouter: Router<BInteractor> {
        override func didLoad() {
          attachChild(DRouter(interactor: d))
          attachChild(CRouter(interactor: c))
        }
      }
      final class CRouter: Router<CInteractor> {
        override func didLoad() { attachChild(BRouter(interactor: b)) }
      }
      final class DRouter: Router<DInteractor> {
        override func didLoad() { attachChild(DRouter(interactor: d)) }
      }
      """),
    Example(
      .cycle, "one child of two parents, or more of a kind when asked for", [],
      """
      final class ARouter: Router<AInteractor> {
        override func didLoad() { attachChild(BRouter(interactor: b)); attachChild(CRouter(interactor: c)) }
      }
      final class BRouter: Router<BInteractor> { override func didLoad() { attachChild(CRouter(interactor: c)) } }
      final class CRouter: Router<CInteractor> { func answer() { attachChild(CRouter(interactor: c)) } }
      """),
  ]
}

/// The findings in one file.
func findings(in text: String, _ rules: Set<Rule> = Set(Rule.allCases), isStrict: Bool = false) -> [Finding] {
  let file = SourceFile(path: "App/App.swift", text: text)
  return Linter([FactsReader.facts(of: file)], local: [FileFindings(file)], rules: rules, isStrict: isStrict).findings
}

@Suite("The rules")
struct RuleTests {
  @Test("tell what is broken, and only that", arguments: Example.all)
  func rule(_ example: Example) {
    let found = findings(in: example.text, [example.rule])
    #expect(found.map(\.line) == example.lines, "\(found.map(\.message))")
    #expect(found.allSatisfy { $0.rule == example.rule.rawValue && $0.path == "App/App.swift" })
  }

  @Test("have a case that breaks them and one that does not, and a reason each")
  func complete() {
    for rule in Rule.allCases {
      #expect(Example.all.contains { $0.rule == rule && !$0.lines.isEmpty }, "\(rule)")
      #expect(Example.all.contains { $0.rule == rule && $0.lines.isEmpty }, "\(rule)")
      #expect(rule.reason.hasSuffix("."))
    }
  }

  @Test("are suppressed where a comment says so, on the line, the one before, or for the file")
  func suppressions() {
    func text(_ before: String = "", _ line: String = "", file: String = "") -> String {
      "\(file)\nfinal class AInteractor: Interactor {\n  \(before)\n  var listener: AListener? \(line)\n}\n"
    }
    #expect(findings(in: text()).map(\.rule) == ["weak-listener"])
    #expect(findings(in: text("// ribs:ignore weak-listener: it goes first")).isEmpty)
    #expect(findings(in: text("", "// ribs:ignore cycle, weak-listener")).isEmpty)
    #expect(findings(in: text(file: "// ribs:ignore-file weak-listener: all of them")).isEmpty)
    #expect(findings(in: text("// ribs:ignore weak-router")).count == 1)
    #expect(findings(in: text(file: "// ribs:ignore weak-listener")).count == 1)
    #expect(findings(in: text("static let text = \"// ribs:ignore weak-listener\"")).count == 1)
  }

  @Test(
    "say nothing that only this runtime can follow where it is another one",
    arguments: [
      "import RxSwift", "import UIKit", "import ModernRIBs", "open class Interactor { func didBecomeActive() {} }",
    ])
  func otherRuntimes(evidence: String) {
    let text = """
      class AInteractor: Interactor {
        var listener: AListener?
        override func didBecomeActive() { Task { for await value in stream { show(value) } } }
        func load() { task { async let one = client.quote(1) } }
      }

      """
    let rules = Set(findings(in: text).map(\.rule))
    #expect(rules == ["endless-loop", "group-on-tree", "missing-super-call", "unbound-task", "weak-listener"])
    #expect(findings(in: text + evidence).map(\.rule) == ["weak-listener"])
  }

  @Test("tell more when they are strict: needless comments, unknown rules, and what is not resolved")
  func strictness() {
    let text = """
      // ribs:ignore weak-router: for no reason
      // ribs:ignore weak-rooter
      // ribs:ignore-file weak-listener
      final class AInteractor: Interactor { var listener: AListener? }
      final class ARouter: Router<A> {
        func show(_ child: Routing) { attachChild(child) }
        func hide(_ child: Routing) { detachChild(child) }
        func x( { }
      }
      """
    #expect(findings(in: text).isEmpty)
    #expect(
      findings(in: text, isStrict: true).map { "\($0.line) \($0.rule) \($0.message)" } == [
        "1 unused-suppression 'weak-router' is not broken here; take the comment out",
        "2 unused-suppression there is no rule 'weak-rooter'",
        "6 unresolved 'ARouter' attaches what could not be resolved to a RIB",
        "8 unresolved syntax error; the rest of the file is included",
      ])
    #expect(findings(in: text, [.cycle], isStrict: true).map(\.line) == [2, 6, 8])
  }
}
