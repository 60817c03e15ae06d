// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceTree
import Testing

@Suite("The graph of RIBs")
struct GraphTests {
  @Test("tells edges of dependencies and of listeners from those of the tree")
  func kinds() {
    let project = Project(
      Project.ribs("Child", "Provided", "Heard", "Deep") + """
        final class ParentComponent: Component<ParentDependency> {}
        extension ParentComponent: ChildDependency, ProvidedDependency {}
        protocol ParentInteractable: Interactable, ChildListener, HeardListener {}
        final class ParentBuilder: Builder<ParentDependency>, ParentBuildable {
          func build() -> Routing {
            let deep = DeepBuilder(dependency: component)
            return ParentRouter(interactor: interactor, childBuilder: ChildBuilder(dependency: component))
          }
        }
        final class ParentRouter: Router<ParentInteractable> {
          private let childBuilder: ChildBuildable
          func showChild() { attachChild(childBuilder.build(withListener: interactor)) }
        }
        """)
    #expect(project.edges(.tree) == ["Parent > Child"])
    #expect(project.edges(.di) == ["Parent > Deep", "Parent > Provided"])
    #expect(project.edges(.listener) == ["Parent > Heard"])
  }

  @Test("keeps RIBs of the same name in different modules apart, by what is near and what is imported")
  func copies() {
    let app = """
      final class RootRouter: Router<RootInteractable> {
        private let homeBuilder: HomeBuildable
        func showHome() { attachChild(homeBuilder.build(withListener: interactor)) }
      }
      """
    let project = Project([
      "one/Root.swift": app, "one/Home.swift": Project.ribs("Home"),
      "two/Root.swift": app, "two/Home.swift": Project.ribs("Home"),
    ])
    #expect(project.edges() == ["Root [one] > Home [one]", "Root [two] > Home [two]"])
  }

  @Test("knows RIBs whose parts have no names of their own in their modules")
  func modules() {
    let clock = """
      import RIBs
      public protocol Routing: ViewableRouting {}
      public protocol Buildable: RIBs.Buildable { func build(withListener listener: Listener) -> Routing }
      public final class Builder: RIBs.Builder<Dependency>, Buildable {
        public func build(withListener listener: Listener) -> Routing { Router(interactor: Interactor()) }
      }
      public final class Router: ViewableRouter<Interactable, ViewControllable>, Routing {}
      """
    let project = Project([
      "Features/Clock/Sources/All.swift": clock, "Features/Alarm/Sources/All.swift": clock,
      "App/Main.swift": """
      import Clock
      import Alarm
      final class MainRouter: Router<MainInteractable> {
        private let clockBuilder: Clock.Buildable
        private let alarm: Alarm.Builder
        func showClock() { attachChild(clockBuilder.build(withListener: interactor)) }
        func showAlarm() { attachChild(alarm.build(withListener: interactor)) }
      }
      """,
    ])
    #expect(project.edges() == ["Main > Alarm", "Main > Clock"])
  }

  @Test("finds RIBs in files of which some are of another module, and calls missing ones external")
  func external() {
    let graph = Project(
      """
      final class ParentRouter: Router<ParentInteractable> {
        private let aBuilder: ABuildable
        func showA() { attachChild(aBuilder.build(withListener: interactor)) }
      }
      """
    ).graph
    #expect(graph.nodes.map(\.name) == ["A", "Parent"])
    #expect(graph.nodes.map(\.isExternal) == [true, false])
  }

  @Test("names what is no Swift, and what is attached and could not be resolved")
  func gaps() {
    let graph = Project([
      "A.swift": "final class ARouter: Router<A> {\n  func show(_ child: Routing) { attachChild(child) }\n}",
      "B.swift": "final class BRouter: Router<B> {\n  func x( { }\n}",
      "C.swift": "final class CRouter: Router<C> {\n  var x = <#text#>\n}",
    ]).graph
    #expect(
      graph.gaps.map { "\($0.path):\($0.line) \($0.message)" } == [
        "A.swift:2 'ARouter' attaches what could not be resolved to a RIB",
        "B.swift:2 syntax error; the rest of the file is included",
        "C.swift:2 syntax error; the rest of the file is included",
      ])
  }

  @Test("leaves out what is no RIB: base classes, test doubles, builders and routers of other things")
  func others() {
    let graph = Project(
      Project.ribs("Home") + """
        class BaseRouter<I>: Router<I> {}
        final class ListRouter: BaseRouter<ListInteractable> {}
        final class HomeRouterMock: HomeRouter {}
        final class RoutingStub: Router<Int> {}
        enum APIRouter: URLRequestConvertible { case list }
        final class RequestBuilder { func build() -> URLRequest { URLRequest() } }
        class DeepLinkRouter { func route() {} }
        """
    ).graph
    #expect(graph.nodes.map(\.name) == ["Home", "List"])
  }

  @Test("takes a RIB whose name begins like that of a test double for none, and knows doubles by what they stand for")
  func doubles() {
    let doubles = """
      final class MockHomeRouter: Router<HomeInteractable>, HomeRouting {}
      final class SpyHomeBuilder: MockBuilder, HomeBuildable {}
      final class FakeHome: HomeBuildable {}
      final class MockRouter: Router<Interactable> {}

      """
    let names = ["Double", "DoubleRoom", "Home", "Room", "Spyglass"]
    let graph = Project(names.map { Project.ribs($0) }.joined() + doubles).graph
    #expect(graph.nodes.map(\.name) == names)
  }

  @Test("omits classes of a framework that are only inherited, and what they attach")
  func frameworks() {
    let graph = Project(
      Project.ribs("Home") + """
        open class FlowRouter<InteractorType>: Router<InteractorType> {
          open func show(_ child: Routing) { attachChild(child) }
        }
        open class StackRouter: ViewableRouter<Interactable, ViewControllable> {
          public func push(_ router: ViewableRouting) { attachChild(router) }
        }
        open class EmptyBuilder<DependencyType>: Builder<DependencyType> {}
        open class SettingsRouter: Router<SettingsInteractable> {}
        protocol SettingsBuildable: Buildable {}
        """
    ).graph
    #expect(graph.nodes.map(\.name) == ["Home", "Settings"])
    #expect(graph.gaps.isEmpty)
  }

  @Test("separates copies of an app in one repository, one of which lacks a RIB")
  func separateCopies() {
    func parent(_ builders: String...) -> String {
      let properties = builders.map { "  private let \($0.lowercased()): \($0)Buildable\n" }
      let methods = builders.map {
        "  func show\($0)() { attachChild(\($0.lowercased()).build(withListener: interactor)) }\n"
      }
      return "final class RootRouter: LaunchRouter<RootInteractable, V> {\n\((properties + methods).joined())}\n"
    }
    let project = Project([
      "first/App/Root.swift": parent("LoggedOut", "LoggedIn"),
      "first/App/LoggedOut.swift": Project.ribs("LoggedOut"),
      "second/App/Root.swift": parent("LoggedOut", "LoggedIn"),
      "second/App/LoggedOut.swift": Project.ribs("LoggedOut"),
      "second/App/LoggedIn.swift": Project.ribs("LoggedIn"),
      // An example of its own in each module does not make the modules copies.
      "modules/Cart/Example/Demo.swift": Project.ribs("Demo"),
      "modules/Cart/Sources/Cart.swift": Project.ribs("Cart", "Total") + "class M: Builder<D>, MapBuildable {}",
      "modules/Map/Example/Demo.swift": Project.ribs("Demo"),
      "modules/Map/Sources/Map.swift": Project.ribs("Map", "Pin")
        + "final class MapOwnerRouter: Router<I> { func go() { attachChild(CartBuilder(d).build(withListener: i)) } }",
    ])
    #expect(
      project.edges() == [
        "MapOwner > Cart", "Root [first] > LoggedIn [elsewhere]", "Root [first] > LoggedOut [first]",
        "Root [second] > LoggedIn", "Root [second] > LoggedOut [second]",
      ])
  }

  @Test("says what RIBs are for, and which have views")
  func summaries() {
    let graph = Project(
      """
      /// Asks who it is. Then it goes away.
      final class ARouter: ViewableRouter<A, AV> {}
      /// This is not said, as there is a comment for it.
      final class BRouter: Router<B> {}
      // SUMMARY: Shows the map
      final class BBuilder: Builder<BDependency> { func build() -> Routing { BRouter(interactor: b) } }
      final class CRouter: LaunchRouter<C, CV> {}
      """
    ).graph
    #expect(graph.nodes.map(\.summary) == ["Asks who it is", "Shows the map", nil])
    #expect(graph.nodes.map(\.hasView) == [true, false, true])
    #expect(graph.launched == [2])
  }

  @Test("is the same for each line ending", arguments: ["\n", "\r\n"])
  func lineEndings(ending: String) {
    let text = """
      /**
       * Asks who it is
       * and why. Then it goes away.
       */
      final class ARouter: Router<A> {}
      /* Not this.
         SUMMARY: Shows the map.
         And more.
      */
      final class BRouter: Router<B> {} // <# not code #>
      let name = "<#name#>"

      """
    let graph = Project(text.replacing("\n", with: ending)).graph
    #expect(graph.nodes.map(\.summary) == ["Asks who it is and why", "Shows the map."])
    #expect(graph.gaps.map(\.line) == [11])
  }
}
