// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceTree
import Testing

/// A style in which projects write that one RIB attaches another.
struct Style: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  /// The expected edges.
  let edges: [String]

  var testDescription: String { name }

  static let all: [Style] = [
    Style(
      name: "a builder that the parent's builder makes in a variable, by its protocol",
      text: Project.ribs("A") + """
        final class ParentBuilder: Builder<ParentDependency>, ParentBuildable {
          func build(withListener listener: ParentListener) -> ParentRouting {
            let component = ParentComponent(dependency: dependency)
            let aBuilder = ABuilder(dependency: component)
            return ParentRouter(interactor: interactor, aBuilder: aBuilder)
          }
        }
        final class ParentRouter: Router<ParentInteractable>, ParentRouting {
          init(interactor: ParentInteractable, aBuilder: ABuildable) {
            self.aBuilder = aBuilder
            super.init(interactor: interactor)
          }
          func routeToA() {
            let a = aBuilder.build(withListener: interactor)
            self.currentChild = a
            attachChild(a)
          }
          private let aBuilder: ABuildable
          private var currentChild: ViewableRouting?
        }
        """, edges: ["Parent > A"]),
    Style(
      name: "a builder with `any`, and one by its class",
      text: Project.ribs("A", "B") + """
        final class ParentRouter: Router<any ParentInteractable> {
          private let aBuilder: any ABuildable
          private let b: BBuilder
          func showA() { attachChild(aBuilder.build(withListener: interactor)) }
          func showB() { self.attachChild(self.b.build(withListener: self.interactor)) }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "a component that the router holds",
      text: Project.ribs("A", "B") + """
        final class ParentComponent: Component<ParentDependency> {
          var aBuilder: ABuildable { ABuilder(dependency: self) }
          lazy var bBuilder = BBuilder(dependency: self)
        }
        final class ParentRouter: Router<ParentInteractable> {
          private let component: ParentComponent
          func showA() {
            let a = component.aBuilder.build(withListener: interactor)
            attachChild(a)
          }
          func showB() { attachChild(component.bBuilder.build(withListener: interactor)) }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "a factory on the component",
      text: Project.ribs("A", "B") + """
        final class ParentComponent: Component<ParentDependency> {
          func buildARouter(listener: AListener) -> ARouting {
            ABuilder(dependency: self).build(withListener: listener)
          }
          func makeB() -> ViewableRouting { return BBuilder(dependency: self).build(withListener: listener) }
        }
        final class ParentRouter: Router<ParentInteractable> {
          let component: ParentComponent
          func showA() {
            let router = component.buildARouter(listener: interactor)
            attachChild(router)
          }
          func showB() { attachChild(component.makeB()) }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "builders made from closures, as needle has them",
      text: """
        final class ABuilder: ComponentizedBuilder<AComponent, ARouting, AListener, Void>, ABuildable {
          override func build(with component: AComponent, _ listener: AListener) -> ARouting {
            ARouter(interactor: AInteractor(), viewController: view)
          }
        }
        protocol ABuildable: Buildable {}
        protocol ARouting: ViewableRouting {}
        final class ARouter: ViewableRouter<AInteractable, AViewControllable>, ARouting {}
        final class ParentComponent: NeedleFoundation.Component<ParentDependency> {
          var aComponent: AComponent { AComponent(parent: self) }
        }
        final class ParentBuilder: ComponentizedBuilder<ParentComponent, ParentRouting, ParentListener, Void> {
          override func build(with component: ParentComponent, _ listener: ParentListener) -> ParentRouting {
            ParentRouter(interactor: interactor, aBuilder: ABuilder { component.aComponent })
          }
        }
        final class ParentRouter: Router<ParentInteractable>, ParentRouting {
          private let aBuilder: ABuildable
          init(interactor: ParentInteractable, aBuilder: ABuildable) {
            self.aBuilder = aBuilder
            super.init(interactor: interactor)
          }
          func showA() {
            let a = aBuilder.build(withDynamicBuildDependency: interactor, dynamicComponentDependency: ())
            attachChild(a)
          }
        }
        """, edges: ["Parent > A"]),
    Style(
      name: "a builder that comes through the parent's dependency from further up",
      text: Project.ribs("A", "Top") + """
        protocol ParentDependency: Dependency { var aBuildable: ABuildable { get } }
        final class ParentComponent: Component<ParentDependency> {
          var aBuildable: ABuildable { dependency.aBuildable }
        }
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> ParentRouting {
            let component = ParentComponent(dependency: dependency)
            return ParentRouter(interactor: ParentInteractor(), aBuildable: component.aBuildable)
          }
        }
        final class ParentRouter: Router<ParentInteractable>, ParentRouting {
          private let aBuildable: ABuildable
          func showA() { attachChild(aBuildable.build(withListener: interactor)) }
        }
        extension TopComponent: ParentDependency {
          var aBuildable: ABuildable { ABuilder(dependency: self) }
        }
        """, edges: ["Parent > A"]),
    Style(
      name: "RIBs in namespaces",
      text: """
        enum Settings {
          protocol Buildable: RIBs.Buildable { func build(_ listener: Listener) -> Routing }
          final class Builder: RIBs.Builder<Dependency>, Buildable {
            func build(_ listener: Listener) -> Routing {
              Router(interactor: Interactor(), aBuilder: Help.Builder(dependency: component))
            }
          }
        }
        extension Settings {
          protocol Routing: RIBs.Routing {}
          final class Router: RIBs.Router<Interactable>, Routing {
            private let helpBuilder: Help.Buildable
            func routeToHelp() { attachChild(helpBuilder.build(interactor)) }
          }
        }
        enum Help {
          protocol Buildable: RIBs.Buildable { func build(_ listener: Listener) -> Routing }
          protocol Routing: RIBs.Routing {}
          final class Builder: RIBs.Builder<Dependency>, Buildable {
            func build(_ listener: Listener) -> Routing { Router(interactor: Interactor()) }
          }
          final class Router: RIBs.Router<Interactable>, Routing {}
        }
        """, edges: ["Settings > Help"]),
    Style(
      name: "a router in several extensions, with closures, tasks and conditional compilation",
      text: Project.ribs("A", "B", "C", "D") + """
        final class ParentRouter : ViewableRouter < ParentInteractable,
          ParentViewControllable >,
        ParentRouting
        {
        \tprivate let aBuilder : ABuildable
        \tlet bBuilder: BBuildable, cBuilder: CBuildable
        \t#if os(iOS)
        \tlet dBuilder: DBuildable
        \t#endif
        }
        extension ParentRouter {
          func showA() {
            viewController.dismiss { [weak self] in
              guard let self else { return }
              let a = self.aBuilder.build(withListener: self.interactor)
              self.attachChild(a)
            }
          }
          func showB() {
            Task { @MainActor [weak self] in
              guard let this = self else { return }
              this.attachChild(this.bBuilder.build(withListener: this.interactor))
            }
          }
        }
        extension ParentRouter {
          func showC() { perform { self.attachChild(self.cBuilder.build(withListener: self.interactor)) } }
        #if os(iOS)
          func showD() { attachChild(dBuilder.build(withListener: interactor)) }
        #endif
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D"]),
    Style(
      name: "the router that a builder connects to its interactor, among others that it creates",
      text: Project.ribs("A") + """
        final class ParentBuilder: Builder<ParentDependency> {
          func build(withListener listener: ParentListener) -> Routing {
            let interactor = ParentInteractor()
            let other = SpareRouter(interactor: SpareInteractor())
            return interactor.connect(
              to: MainRouter(interactor: interactor, other: other, aBuilder: ABuilder(dependency: component)),
              listener: listener)
          }
        }
        final class ParentInteractor: Interactor, ParentInteractable, Connectable {
          weak var router: MainRouting?
          weak var listener: ParentListener?
        }
        final class MainRouter: Router<ParentInteractable>, MainRouting {
          private let aBuilder: ABuildable
          func showA() { attachChild(aBuilder.build(withListener: interactor)) }
        }
        final class SpareRouter: Router<SpareInteractor> {}
        final class TopRouter: Router<TopInteractor> {
          private let parentBuilder: ParentBuilder
          override func didLoad() {
            super.didLoad()
            attachChild(parentBuilder.build(withListener: interactor))
          }
        }
        """, edges: ["Main > A", "Top > Main"]),
    Style(
      name: "what a builder returns with other things",
      text: Project.ribs("A") + """
        protocol BBuildable: Buildable {
          func build(withListener listener: BListener) -> (router: BRouting, actionableItem: BActionableItem)
        }
        final class BRouter: Router<BInteractable>, BRouting {}
        protocol BRouting: Routing {}
        final class BBuilder: Builder<BDependency>, BBuildable {
          func build(withListener listener: BListener) -> (router: BRouting, actionableItem: BActionableItem) {
            let router = BRouter(interactor: interactor)
            return (router, interactor)
          }
        }
        final class ParentRouter: Router<ParentInteractable> {
          private let bBuilder: BBuildable
          private let otherBuilder: BBuildable
          func showB() -> BActionableItem {
            let b = bBuilder.build(withListener: interactor)
            attachChild(b.router)
            return b.actionableItem
          }
        }
        final class OtherRouter: Router<OtherInteractable> {
          private let bBuilder: BBuildable
          func showB() -> BActionableItem {
            let (router, item) = bBuilder.build(withListener: interactor)
            attachChild(router)
            return item
          }
        }
        """, edges: ["Other > B", "Parent > B"]),
    Style(
      name: "children in an array",
      text: Project.ribs("A", "B", "C", "D") + """
        final class ParentRouter: Router<ParentInteractable> {
          let a: ABuildable, b: BBuildable, c: CBuildable, d: DBuildable
          func attachTabs() {
            let first = a.build(withListener: interactor)
            let second = b.build(withListener: interactor)
            let tabs = [first, second]
            tabs.forEach { attachChild($0) }
            viewController.set(tabs.map { $0.viewControllable })
            for tab in [c.build(withListener: interactor)] { attachChild(tab) }
            [d.build(withListener: interactor)].forEach(attachChild)
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D"]),
    Style(
      name: "one protocol for the builders of many RIBs, told apart by who is given to the router",
      text: Project.ribs("A", "B", "C") + """
        protocol TabBuildable { func build(withListener listener: TabListener) -> ViewableRouting }
        extension ABuilder: TabBuildable {}
        extension BBuilder: TabBuildable {}
        extension CBuilder: TabBuildable {}
        final class ParentRouter: Router<ParentInteractable> {
          struct Deps {
            let first: TabBuildable
            let second: TabBuildable
          }
          private let deps: Deps
          init(interactor: ParentInteractable, deps: Deps) {
            self.deps = deps
            super.init(interactor: interactor)
          }
          override func didLoad() {
            super.didLoad()
            let builders = [deps.first, deps.second]
            let routers = builders.map { $0.build(withListener: interactor) }
            routers.forEach { attachChild($0) }
          }
        }
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> Routing {
            let deps = ParentRouter.Deps(first: ABuilder(dependency: component), second: BBuilder(dependency: component))
            return ParentRouter(interactor: ParentInteractor(), deps: deps)
          }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "adapters that build RIBs behind a protocol",
      text: Project.ribs("TicTacToe", "RandomWin") + """
        public protocol Game { var id: String { get }; var builder: GameBuildable { get } }
        public protocol GameBuildable: Buildable { func build(withListener listener: GameListener) -> ViewableRouting }
        class TicTacToeAdapter: Game, GameBuildable, TicTacToeListener {
          var id: String { "t" }
          var builder: GameBuildable { self }
          let ticTacToeBuilder: TicTacToeBuilder
          func build(withListener listener: GameListener) -> ViewableRouting {
            self.listener = listener
            return ticTacToeBuilder.build(withListener: self)
          }
        }
        class RandomWinAdapter: Game, GameBuildable, RandomWinListener {
          var builder: GameBuildable { return self }
          let randomWinBuilder: RandomWinBuilder
          func build(withListener listener: GameListener) -> ViewableRouting {
            randomWinBuilder.build(withListener: self)
          }
        }
        final class LoggedInRouter: Router<LoggedInInteractable> {
          func routeToGame(with gameBuilder: GameBuildable) {
            detachCurrentChild()
            let game = gameBuilder.build(withListener: interactor)
            currentChild = game
            attachChild(game)
          }
        }
        """, edges: ["LoggedIn > RandomWin", "LoggedIn > TicTacToe"]),
    Style(
      name: "a method that attaches what it is given, here and in a base class",
      text: Project.ribs("A", "B") + """
        class BaseRouter<I, V>: ViewableRouter<I, V> {
          func push(_ router: ViewableRouting, animated: Bool) {
            attachChild(router)
          }
        }
        final class ParentRouter: BaseRouter<ParentInteractable, ParentViewControllable> {
          private let aBuilder: ABuildable
          private let bBuilder: BBuildable
          private var stage: Routing?
          func showA() { show(aBuilder.build(withListener: interactor)) }
          func showB() { push(bBuilder.build(withListener: interactor), animated: true) }
          private func show(_ stage: Routing) {
            if let previous = self.stage { detachChild(previous) }
            self.stage = stage
            attachChild(stage)
          }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "a method of its own that builds by a switch",
      text: Project.ribs("A", "B") + """
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: ABuilder
          private let bBuilder: BBuilder
          private func child(for step: Step) -> ViewableRouting? {
            switch step {
            case .a: return aBuilder.build(withListener: interactor)
            case .b: return bBuilder.build(withListener: interactor)
            case .end: return nil
            }
          }
          func start(_ step: Step) {
            if let child = child(for: step) {
              attachChild(child)
            }
          }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "containers of children",
      text: Project.ribs("A", "B", "Row", "Screen") + """
        final class ParentRouter: Router<ParentInteractable> {
          let aBuilder: ABuildable, bBuilder: BBuildable, rowBuilder: RowBuildable, screenBuilder: ScreenBuildable
          private lazy var stage = ChildSlot<Stage>(of: self) { router, stage in
            switch stage {
            case .a: router.aBuilder.build(withListener: router.interactor)
            case .b: router.bBuilder.build(withListener: router.interactor)
            }
          }
          private lazy var rows = ChildList<Ride>(of: self) { router, ride in router.rowBuilder.build(ride) }
          private lazy var screens: ChildStack<Screen> = ChildStack(of: self, covered: .kept) {
            $0.screenBuilder.build(withListener: $0.interactor)
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > Row", "Parent > Screen"]),
    Style(
      name: "children that are prepared off the tree, or attached in slices",
      text: Project.ribs("A", "B", "C") + """
        final class ParentRouter: Router<ParentInteractable> {
          let aBuilder: ABuildable, bBuilder: BBuildable, cBuilder: CBuildable
          func show(_ models: [Int]) {
            attachChild("a", preparing: { [aBuilder] in await aBuilder.build() })
            attachChild("b", preparing: { [builder = bBuilder] in await builder.build() })
            attachChildren(for: models) { model in self.cBuilder.build(model) }
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C"]),
    Style(
      name: "kinds of models that are registered from outside",
      text: Project.ribs("Ride", "Offer") + """
        final class FeedRouter: Router<FeedInteractable> {
          let rideBuilder: RideBuildable, offerBuilder: OfferBuildable
          let kinds: ChildKinds<FeedRouter>
          private lazy var rows = ChildList<AnyModel>(of: self, kinds: kinds)
        }
        final class FeedBuilder: Builder<FeedDependency> {
          func build() -> Routing {
            let kinds = ChildKinds<FeedRouter>()
            kinds.register(Ride.self) { router, ride in router.rideBuilder.build(ride) }
            kinds.register(Offer.self) { router, offer in router.offerBuilder.build(offer) }
            return FeedRouter(interactor: FeedInteractor(), kinds: kinds)
          }
        }
        """, edges: ["Feed > Offer", "Feed > Ride"]),
    Style(
      name: "factories as closures",
      text: Project.ribs("A", "B") + """
        final class ParentRouter: Router<ParentInteractable> {
          private let makeA: () -> ARouting
          private let bBuilder: () -> BBuildable
          init(makeA: @escaping () -> ARouting, bBuilder: @escaping () -> BBuildable) {}
          func showA() { attachChild(makeA()) }
          func showB() { attachChild(bBuilder().build(withListener: interactor)) }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "a child that the builder makes and the router attaches",
      text: Project.ribs("A") + """
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> ParentRouting {
            let a = ABuilder(dependency: component).build(withListener: interactor)
            return ParentRouter(interactor: interactor, a: a)
          }
        }
        final class ParentRouter: Router<ParentInteractable> {
          private let a: ViewableRouting
          init(interactor: ParentInteractable, a: ViewableRouting) {
            self.a = a
            super.init(interactor: interactor)
          }
          override func didLoad() {
            super.didLoad()
            attachChild(a)
          }
        }
        """, edges: ["Parent > A"]),
    Style(
      name: "a child that the builder hands to the router, which attaches it when it gets it",
      text: Project.ribs("A") + """
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> Routing {
            let router = ParentRouter(interactor: interactor)
            router.container = ABuilder(dependency: component).build(withListener: interactor)
            return router
          }
        }
        final class ParentRouter: Router<ParentInteractable> {
          var container: Routing? {
            didSet { if let container { attachChild(container) } }
          }
        }
        """, edges: ["Parent > A"]),
    Style(
      name: "a router that is made without a builder, a RIB with a plain router, a builder of another name",
      text: """
        final class ARouter: Router<AInteractor> {}
        final class BBuilder: Builder<BDependency> {
          func build() -> Routing { Router(interactor: BInteractor()) }
        }
        final class CRouter: Router<CInteractor> {}
        final class NewCScene: Builder<CDependency>, CBuildable { func build() -> Routing { CRouter(interactor: i) } }
        protocol CBuildable: Buildable { func build() -> Routing }
        final class ParentRouter: Router<ParentInteractor> {
          let b: BBuilder
          let c: CBuildable
          override func didLoad() {
            super.didLoad()
            attachChild(ARouter(interactor: AInteractor()))
            attachChild(b.build())
            let c = c.build()
            attachChild(c)
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C"]),
    Style(
      name: "attached by the builder, or by the interactor",
      text: Project.ribs("A", "B") + """
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> ParentRouting {
            let router = ParentRouter(interactor: interactor)
            let aBuilder = ABuilder(dependency: component)
            router.attachChild(aBuilder.build(withListener: interactor))
            return router
          }
        }
        protocol ParentRouting: Routing {}
        final class ParentRouter: Router<ParentInteractor>, ParentRouting {}
        final class ParentInteractor: Interactor {
          weak var router: ParentRouting?
          let bBuilder: BBuildable
          override func didBecomeActive() {
            super.didBecomeActive()
            router?.attachChild(bBuilder.build(withListener: self))
          }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "generics, aliases, optionals, lazies and casts",
      text: Project.ribs("A", "B", "C", "D", "E") + """
        typealias FirstBuilding = ABuildable
        final class ParentRouter<Builder: BBuildable>: Router<ParentInteractable> {
          let first: FirstBuilding
          let second: Builder
          var third: CBuildable?
          let fourth: Lazy<DBuildable>
          let anything: Any
          func show() {
            attachChild(first.build(withListener: interactor))
            attachChild(second.build(withListener: interactor))
            if let third { attachChild(third.build(withListener: interactor)) }
            guard let child = third?.build(withListener: interactor) else { return }
            attachChild(child)
            attachChild(fourth.value.build(withListener: interactor))
            if let fifth = anything as? EBuildable { attachChild(fifth.build(withListener: interactor)) }
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D", "Parent > E"]),
    Style(
      name: "wrappers whose inside is not known",
      text: Project.ribs("A", "B") + """
        final class ParentRouter: ViewableRouter<ParentInteractable, ParentViewControllable> {
          private let aBuilder: ABuildable
          private let bBuilder: BBuildable
          func showA() {
            let route = aBuilder.build(withListener: interactor)
            perform(with: RibsRouting(use: route, transitionType: .push), completion: nil)
          }
          func showB() { pushRouter(bBuilder.build(withListener: interactor), animated: true) }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "builders from a container, by a helper with a closure, in a dictionary, erased, and chosen by a switch",
      text: Project.ribs("A", "B", "C", "D", "E", "F", "G") + """
        final class AnyBuilding<R> { func build(withListener listener: AnyObject) -> R { make(listener) } }
        final class ParentRouter: Router<ParentInteractable> {
          let bBuilder: BBuildable, fBuilder: FBuildable, gBuilder: GBuildable
          let builders: [Tab: Buildable]
          let erased: AnyBuilding<DRouting>
          let base: ComponentizedBuilder<EComponent, ERouting, EListener, Void>
          init(builders: [Tab: Buildable]) { self.builders = builders }
          func show(_ tab: Tab) {
            attachChild(resolver.resolve(ABuildable.self).build(withListener: interactor))
            attach(bBuilder) { $0.build(withListener: interactor) }
            if let child = builders[tab]?.build(withListener: interactor) { attachChild(child) }
            attachChild(erased.build(withListener: interactor))
            attachChild(base.build(withDynamicBuildDependency: interactor, dynamicComponentDependency: ()))
            let builder: Buildable
            switch tab {
            case .f: builder = fBuilder
            case .g: builder = gBuilder
            }
            let child = builder.build(withListener: interactor)
            attachChild(child)
          }
        }
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> Routing { ParentRouter(builders: [.c: CBuilder(dependency: component)]) }
        }
        """,
      edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D", "Parent > E", "Parent > F", "Parent > G"]),
    Style(
      name: "static factories, key paths, choices, and errors that are thrown",
      text: Project.ribs("B", "C", "D", "E") + """
        final class ARouter: Router<AInteractable> {}
        enum AFactory {
          static func make(listener: AListener) -> ViewableRouting {
            let router = ARouter(interactor: AInteractor())
            return router
          }
        }
        final class ParentRouter: Router<ParentInteractable> {
          let b: BBuilder, c: CBuilder, d: DBuilder, e: EBuilder
          private var stage: ViewableRouting?
          func show() async throws {
            attachChild(AFactory.make(listener: interactor))
            let built = [b].map { (router: $0.build(withListener: interactor), item: 1) }
            built.map(\\.router).forEach(attachChild)
            let chosen: Routing = isNew ? c.build(withListener: interactor) : d.build(withListener: interactor)
            attachChild(chosen)
            stage = try await e.build(withListener: interactor)
            if let stage { attachChild(stage) }
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D", "Parent > E"]),
    Style(
      name: "modules with an interface and an implementation",
      text: """
        public protocol TopupBuildable: Buildable { func build(withListener listener: TopupListener) -> Routing }
        public final class TopupBuilder: Builder<TopupDependency>, TopupBuildable {
          public func build(withListener listener: TopupListener) -> Routing {
            let component = TopupComponent(dependency: dependency)
            let interactor = TopupInteractor(dependency: component)
            return TopupRouter(interactor: interactor, viewController: component.topupBaseViewController)
          }
        }
        final class TopupRouter: Router<TopupInteractable>, TopupRouting {}
        final class AppRootComponent: Component<AppRootDependency>, HomeDependency {
          lazy var topupBuildable: TopupBuildable = {
            return TopupBuilder(dependency: self)
          }()
        }
        protocol HomeDependency: Dependency { var topupBuildable: TopupBuildable { get } }
        final class HomeComponent: Component<HomeDependency> {
          var topupBuildable: TopupBuildable { dependency.topupBuildable }
        }
        final class HomeBuilder: Builder<HomeDependency>, HomeBuildable {
          func build(withListener listener: HomeListener) -> HomeRouting {
            let component = HomeComponent(dependency: dependency)
            return HomeRouter(interactor: interactor, topupBuildable: component.topupBuildable)
          }
        }
        final class HomeRouter: ViewableRouter<HomeInteractable, HomeViewControllable>, HomeRouting {
          private let topupBuildable: TopupBuildable
          private var topupRouting: Routing?
          init(interactor: HomeInteractable, topupBuildable: TopupBuildable) {
            self.topupBuildable = topupBuildable
            super.init(interactor: interactor)
          }
          func attachTopup() {
            if topupRouting != nil { return }
            let router = topupBuildable.build(withListener: interactor)
            self.topupRouting = router
            attachChild(router)
          }
        }
        final class AppRootRouter: LaunchRouter<AppRootInteractable, AppRootViewControllable> {
          let home: HomeBuildable
          func attachTabs() {
            let homeRouting = home.build(withListener: interactor)
            attachChild(homeRouting)
            viewController.setViewControllers([NavigationControllerable(root: homeRouting.viewControllable)])
          }
        }
        """, edges: ["AppRoot > Home", "Home > Topup"]),
    Style(
      name: "cases that are mapped to children, closures in a structure, and a builder of two routers",
      text: Project.ribs("A", "B", "C", "D") + """
        final class OldRouter: Router<OldInteractable> {}
        final class NewRouter: Router<NewInteractable> {}
        final class EitherBuilder: Builder<EitherDependency> {
          func build() -> Routing {
            if isNew { return NewRouter(interactor: interactor) }
            return OldRouter(interactor: interactor)
          }
        }
        final class ParentRouter: Router<ParentInteractable> {
          struct Children {
            var c: (Int) -> CRouting
            var d: () -> ViewableRouting
          }
          private let children_: Children
          let a: ABuildable, b: BBuildable, either: EitherBuilder
          init(interactor: ParentInteractable, children: Children) {
            self.children_ = children
            super.init(interactor: interactor)
          }
          private func make(_ tab: Tab) -> ViewableRouting {
            switch tab {
            case .a: a.build(withListener: interactor)
            case .b: b.build(withListener: interactor)
            }
          }
          func show() {
            for child in Tab.allCases.map({ make($0) }) { attachChild(child) }
            attachChild(children_.c(1))
            attachChild(children_.d())
            attachChild(either.build())
          }
        }
        final class ParentBuilder: Builder<ParentDependency> {
          func build() -> Routing {
            let cBuilder = CBuilder(dependency: component), dBuilder = DBuilder(dependency: component)
            return ParentRouter(
              interactor: interactor,
              children: .init(
                c: { number in cBuilder.build(withListener: interactor) },
                d: { dBuilder.build(withListener: interactor) }))
          }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D", "Parent > New", "Parent > Old"]),
    Style(
      name: "closures and autoclosures that build a child",
      text: Project.ribs("A", "B", "C", "D") + """
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: ABuildable
          private let bBuilder: BBuildable
          private let cBuilder: CBuildable
          private let dBuilder: DBuildable
          private var a: Routing?
          func showA() { attachOnce(&a, aBuilder.build(withListener: interactor)) }
          func showB() { attachAlone(bBuilder.build(withListener: interactor)) }
          func showC() { attachLater { self.cBuilder.build(withListener: self.interactor) } }
          func compare() { measure(dBuilder.build(withListener: interactor)) }
          private func attachOnce(_ slot: inout Routing?, _ make: @autoclosure () -> Routing) {
            guard slot == nil else { return }
            let child = make()
            attachChild(child)
            slot = child
          }
          private func attachAlone(_ make: @autoclosure () -> Routing) {
            guard children.isEmpty else { return }
            attachChild(make())
          }
          private func attachLater(_ make: () -> Routing) { attachChild(make()) }
          private func measure(_ make: @autoclosure () -> Routing) { _ = make() }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C"]),
    Style(
      name: "builders and routers that a component of needle provides",
      text: Project.ribs("A", "B", "C") + """
        final class ParentComponent: NeedleFoundation.Component<ParentDependency> {
          var aComponent: AComponent { AComponent(parent: self) }
          var bBuilder: () -> BBuildable { { BBuilder(dependency: self) } }
          lazy var builders = Builders(component: self)
          var dBuilder: DBuilder { DComponent(parent: self) }
        }
        extension AComponent { var builder: ABuildable { ABuilder(dependency: self) } }
        struct Builders {
          let component: ParentComponent
          var c: CBuildable { CBuilder(dependency: component) }
        }
        protocol DBuilder { var router: DRouting { get } }
        final class DComponent: NeedleFoundation.Component<DDependency>, DBuilder {
          var router: DRouting { DRouter(interactor: DInteractor(), viewController: viewController) }
        }
        protocol DRouting: ViewableRouting {}
        final class DRouter: ViewableRouter<DInteractable, DViewControllable>, DRouting {}
        final class ParentRouter: Router<ParentInteractable> {
          private let component: ParentComponent
          func showA() { attachChild(component.aComponent.builder.build(withListener: interactor)) }
          func showB() { attachChild(component.bBuilder().build(withListener: interactor)) }
          func showC() { attachChild(component.builders.c.build(withListener: interactor)) }
          func showD() { attachChild(component.dBuilder.router) }
        }
        """, edges: ["Parent > A", "Parent > B", "Parent > C", "Parent > D"]),
    Style(
      name: "a child that is built and not attached is none",
      text: Project.ribs("A", "B", "C") + """
        final class ParentRouter: ViewableRouter<ParentInteractable, ParentViewControllable> {
          private let aBuilder: ABuildable
          private let bBuilder: BBuildable
          private let cBuilder: CBuildable
          private var kept: Routing?
          func show() {
            let a = aBuilder.build(withListener: interactor)
            viewController.present(a.viewControllable)
            _ = bBuilder.build(withListener: interactor)
            kept = cBuilder.build(withListener: interactor)
          }
          func hide() {
            guard let kept else { return }
            detachChild(kept)
          }
        }
        """, edges: []),
    Style(
      name: "a builder that is received and never used is none",
      text: Project.ribs("A") + """
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: ABuildable
          init(interactor: ParentInteractable, aBuilder: ABuildable) {
            self.aBuilder = aBuilder
            super.init(interactor: interactor)
          }
        }
        """, edges: []),
    Style(
      name: "builders of other things are none",
      text: Project.ribs("A") + """
        struct AlertBuilder { func build() -> UIAlertController { UIAlertController() } }
        final class ParentRouter: Router<ParentInteractable> {
          func warn() {
            let alert = AlertBuilder().build()
            viewController.present(alert)
            let request = URLRequestBuilder().build()
            client.send(request)
          }
        }
        """, edges: []),
    Style(
      name: "syntax errors and placeholders of an editor",
      text: Project.ribs("A", "B") + """
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: ABuildable
          private let bBuilder: BBuildable
          func showA() { attachChild(aBuilder.build(withListener: <#listener#>)) }
          func broken( { let = }
          func showB() { attachChild(bBuilder.build(withListener: interactor)) }
        }
        """, edges: ["Parent > A", "Parent > B"]),
    Style(
      name: "a child of several parents, and a circle",
      text: Project.ribs("Leaf") + """
        final class ARouter: Router<AInteractable> {
          let b: BBuilder
          let leaf: LeafBuilder
          func show() { attachChild(b.build()); attachChild(leaf.build(withListener: interactor)) }
        }
        final class BRouter: Router<BInteractable> {
          let a: ABuilder
          let leaf: LeafBuilder
          func show() { attachChild(a.build()); attachChild(leaf.build(withListener: interactor)) }
        }
        final class ABuilder: Builder<ADependency> { func build() -> Routing { ARouter(interactor: AInteractor()) } }
        final class BBuilder: Builder<BDependency> { func build() -> Routing { BRouter(interactor: BInteractor()) } }
        """, edges: ["A > B", "A > Leaf", "B > A", "B > Leaf"]),
    Style(
      name: "a builder whose RIB is in another package",
      text: """
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: any ABuildable
          func showA() { attachChild(aBuilder.build(withListener: interactor)) }
        }
        """, edges: ["Parent > A"]),
    Style(
      name: "helpers of the parent's builder that are named like methods that build",
      text: Project.ribs("A", "B", "C") + """
        final class ParentBuilder: Builder<ParentDependency>, ParentBuildable {
          func build(withListener listener: ParentListener) -> ParentRouting {
            let component = ParentComponent(dependency: dependency)
            let bBuilder = self.buildB(component)
            return createRouter(component, makeABuilder(component), bBuilder)
          }
          private func makeABuilder(_ component: ParentComponent) -> ABuildable { ABuilder(dependency: component) }
          private func buildB(_ component: ParentComponent) -> BBuilder { return BBuilder(dependency: component) }
          private func createRouter(_ component: ParentComponent, _ a: ABuildable, _ b: BBuilder) -> ParentRouter {
            ParentRouter(interactor: interactor, first: a, second: b, third: makeC(component))
          }
          private func makeC(_ component: ParentComponent) -> CRouting {
            CBuilder(dependency: component).build(withListener: interactor)
          }
        }
        final class ParentRouter: Router<ParentInteractable>, ParentRouting {
          private let first: Buildable
          private let second: Buildable
          private let third: Routing
          init(interactor: ParentInteractable, first: ABuildable, second: BBuilder, third: Routing) {
            self.first = first
            self.second = second
            self.third = third
            super.init(interactor: interactor)
          }
          func showAll() {
            attachChild(first.build(withListener: interactor))
            attachChild(second.build(withListener: interactor))
            attachChild(third)
          }
        }
        final class OtherRouter: Router<OtherInteractable> {
          private let parentBuilder: ParentBuildable
          func show() { attachChild(parentBuilder.build(withListener: interactor)) }
        }
        """, edges: ["Other > Parent", "Parent > A", "Parent > B", "Parent > C"]),
    Style(
      name: "a child that is built to be taken away, in words of its own",
      text: Project.ribs("A") + """
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: ABuildable
          func leave() {
            let a = aBuilder.build(withListener: interactor)
            deattachAll(a)
            unattach(a)
          }
        }
        """, edges: []),
    Style(
      name: "test doubles beside the sources",
      text: Project.ribs("A", "B") + """
        final class ABuildableMock: ABuildable {
          func build(withListener listener: AListener) -> ARouting { BRouter(interactor: i) }
        }
        final class ParentRouter: Router<ParentInteractable> {
          private let aBuilder: ABuildable
          func showA() { attachChild(aBuilder.build(withListener: interactor)) }
        }
        """, edges: ["Parent > A"]),
  ]
}

@Suite("The tree from source")
struct StyleTests {
  @Test("is found in", arguments: Style.all)
  func style(_ style: Style) {
    let project = Project(style.text)
    #expect(project.edges() == style.edges)
    if !style.edges.isEmpty && !style.name.contains("errors") { #expect(project.graph.gaps.isEmpty) }
  }
}
