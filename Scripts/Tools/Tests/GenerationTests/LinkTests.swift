// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("Linking")
struct LinkTests {
  private let folder = TemporaryFolder()

  /// Links and unlinks, and returns the texts after linking.
  private func linked(_ sample: SampleParent, route: Link.Route = .attach) throws -> [String: String] {
    let workspace = try sample.workspace(in: folder)
    var link = try SampleParent.link()
    link.route = route
    #expect(try link.apply(to: workspace).isEmpty)
    var texts: [String: String] = [:]
    for path in workspace.sourcePaths { texts[path] = try workspace.source(at: path).text }
    try SampleParent.unlink().apply(to: workspace)
    #expect(try workspace.plan().changes.isEmpty)
    return texts
  }

  @Test("writes builder, router, interactor and component of the parent, and unlinking takes it back")
  func everything() throws {
    let texts = try linked(SampleParent())
    #expect(
      texts["Home/HomeBuilder.swift"]?.hasSuffix(
        """
          func build() -> any HomeRouting {
            let interactor = HomeInteractor()
            let component = HomeComponent(dependency: dependency)
            let router = HomeRouter(interactor: interactor, detailBuilder: DetailBuilder(dependency: component))
            interactor.router = router
            return router
          }
        }

        """) == true)
    #expect(
      texts["Home/HomeRouter.swift"] == """
        import RIBs

        protocol HomeInteractable: Interactable, DetailListener {
          var router: (any HomeRouting)? { get set }
        }

        final class HomeRouter: Router<any HomeInteractable>, HomeRouting {
          private let detailBuilder: any DetailBuildable
          private var detail: (any Routing)?

          init(interactor: any HomeInteractable, detailBuilder: any DetailBuildable) {
            self.detailBuilder = detailBuilder
            super.init(interactor: interactor)
          }

          func routeToDetail() {
            guard detail == nil else { return }
            let detail = detailBuilder.build(withListener: interactor)
            self.detail = detail
            attachChild(detail)
          }

          func detachDetail() {
            guard let detail else { return }
            self.detail = nil
            detachChild(detail)
          }
        }

        """)
    #expect(
      texts["Home/HomeInteractor.swift"] == """
        import RIBs

        protocol HomeRouting: Routing {
          func routeToDetail()
          func detachDetail()
        }

        final class HomeInteractor: Interactor, HomeInteractable {
          weak var router: (any HomeRouting)?

          func detailDidFinish() { router?.detachDetail() }
        }

        """)
    #expect(
      texts["Home/HomeComponent+Detail.swift"] == """
        import RIBs

        /// What Detail gets from Home.
        extension HomeComponent: DetailDependency {}

        """)
  }

  @Test("without a route gives the router the builder alone")
  func withoutRoute() throws {
    let texts = try linked(SampleParent(), route: .none)
    #expect(texts["Home/HomeRouter.swift"]?.contains("private let detailBuilder") == true)
    #expect(texts["Home/HomeRouter.swift"]?.contains("private var detail:") == false)
    #expect(texts["Home/HomeInteractor.swift"]?.contains("func detailDidFinish() {}") == true)
    #expect(texts["Home/HomeInteractor.swift"]?.contains("routeToDetail") == false)
  }

  @Test("breaks what would be longer than a line may be")
  func longListener() throws {
    var sample = SampleParent()
    let declaration =
      "func detailDidFinish(_ reason: String, after duration: Duration, because others: [String: [String]])"
    sample.childListener = "protocol DetailListener: AnyObject {\n  \(declaration)\n}\n"
    let text = try #require(try linked(sample)["Home/HomeInteractor.swift"])
    #expect(text.hasSuffix("\n\n  \(declaration) {\n    router?.detachDetail()\n  }\n}\n"), "\(text)")
  }

  @Test("passes on what the child's build takes, and hears all that it tells")
  func parameters() throws {
    var sample = SampleParent()
    sample.childListener = """
      protocol DetailListener: AnyObject {
        /// Told once.
        func detailDidSelect(_ place: Place, at index: Int)
        func detailDidClose()
      }

      """
    sample.childBuilder = sample.childBuilder.replacing(
      "listener: any DetailListener)", with: "listener: any DetailListener, for place: Place, _ count: Int)")
    let texts = try linked(sample)
    let router = try #require(texts["Home/HomeRouter.swift"])
    #expect(router.contains("func routeToDetail(for place: Place, _ count: Int) {"))
    #expect(router.contains("detailBuilder.build(withListener: interactor, for: place, count)"))
    let interactor = try #require(texts["Home/HomeInteractor.swift"])
    #expect(interactor.contains("  func detailDidSelect(_ place: Place, at index: Int) {}\n"))
    #expect(interactor.contains("  func detailDidClose() { router?.detachDetail() }\n"))
  }

  @Test("keeps an initializer that does more, as upstream's templates write it")
  func initializer() throws {
    var sample = SampleParent()
    sample.router = sample.router.replacing(
      "HomeRouting {}",
      with: """
        HomeRouting {
          // Made once.
          override init(interactor: any HomeInteractable) {
            super.init(interactor: interactor)
            interactor.router = self
          }
        }
        """)
    let router = try #require(try linked(sample)["Home/HomeRouter.swift"])
    #expect(
      router.contains(
        """
          private let detailBuilder: any DetailBuildable
          private var detail: (any Routing)?

          // Made once.
          init(interactor: any HomeInteractable, detailBuilder: any DetailBuildable) {
            self.detailBuilder = detailBuilder
            super.init(interactor: interactor)
            interactor.router = self
          }

        """))
  }

  @Test(
    "works with a view, four spaces, tabs, and lines that end as on Windows", arguments: ["    ", "\t"], ["\n", "\r\n"])
  func layouts(unit: String, newline: String) throws {
    var sample = SampleParent()
    sample.router = """
      protocol HomeInteractable: Interactable {
        var router: (any HomeRouting)? { get set }
      }
      protocol HomeViewControllable: ViewControllable {}
      final class HomeRouter: ViewableRouter<any HomeInteractable, any HomeViewControllable>, HomeRouting {
        func show() {}
      }

      """
    func laidOut(_ text: String) -> String {
      text.replacing("  ", with: unit).replacing("\n", with: newline)
    }
    sample.builder = laidOut(sample.builder)
    sample.interactor = laidOut(sample.interactor)
    sample.router = laidOut(sample.router)
    let router = try #require(try linked(sample)["Home/HomeRouter.swift"])
    #expect(router.contains(laidOut("\n  private let detailBuilder: any DetailBuildable\n")))
    #expect(router.contains(laidOut("\n    super.init(interactor: interactor, viewController: viewController)\n")))
    if newline == "\r\n" { #expect(!router.replacing("\r\n", with: "").contains("\n")) }
  }

  @Test("keeps mocks of the parent's protocols in step")
  func mocks() throws {
    var sample = SampleParent()
    sample.others["Tests/HomeMocks.swift"] = """
      final class HomeRoutingMock: Router<Interactor>, HomeRouting {
        init() { super.init(interactor: Interactor()) }
      }
      final class HomeInteractableMock: Interactor, HomeInteractable {
        weak var router: (any HomeRouting)?
      }

      """
    let mocks = try #require(try linked(sample)["Tests/HomeMocks.swift"])
    #expect(mocks.contains("  func routeToDetail() { routeToDetailCallCount += 1 }\n"))
    #expect(mocks.contains("  private(set) var detailDidFinishCallCount = 0\n"))
  }

  @Test("keeps doubles of the parent's protocols in step, which record what they are given")
  func doubles() throws {
    var sample = SampleParent()
    sample.childListener =
      "protocol DetailListener: AnyObject {\n  func detailDidEnd(with value: Int, at place: String)\n}\n"
    sample.others["Tests/HomeDoubles.swift"] = """
      final class HomeRoutingDouble: RoutingDouble, HomeRouting {}

      final class HomeInteractableDouble: InteractableDouble, HomeInteractable {
        weak var router: (any HomeRouting)?
      }

      """
    #expect(
      try linked(sample)["Tests/HomeDoubles.swift"] == """
        final class HomeRoutingDouble: RoutingDouble, HomeRouting {
          func routeToDetail() { record() }

          func detachDetail() { record() }
        }

        final class HomeInteractableDouble: InteractableDouble, HomeInteractable {
          weak var router: (any HomeRouting)?

          func detailDidEnd(with value: Int, at place: String) { record(value, place) }
        }

        """)
  }

  @Test("provides what the child depends on from the parent's own dependency")
  func dependencies() throws {
    var sample = SampleParent()
    sample.builder = sample.builder
      .replacing(
        "HomeDependency: Dependency {}", with: "HomeDependency: Dependency {\n  var clock: any Clock { get }\n}"
      )
      .replacing(
        "<any HomeDependency> {}", with: "<any HomeDependency> {\n  var stream: Stream { shared { Stream() } }\n}")
    sample.childBuilder = sample.childBuilder.replacing(
      "DetailDependency: Dependency {}",
      with: "DetailDependency: Dependency {\n  var clock: any Clock { get }\n  var stream: Stream { get }\n}")
    #expect(
      try linked(sample)["Home/HomeComponent+Detail.swift"]?.hasSuffix(
        """
        extension HomeComponent: DetailDependency {
          var clock: any Clock { dependency.clock }
        }

        """) == true)
  }

  @Test("provides nothing that the parent's component forwards by the extension of a protocol")
  func forwarding() throws {
    var sample = SampleParent()
    sample.builder = sample.builder
      .replacing("HomeDependency: Dependency {}", with: "HomeDependency: AppDependency {}")
      .replacing(
        "<any HomeDependency> {}",
        with: "<any HomeDependency>, Forwarding {\n  var app: any AppDependency { dependency }\n}")
    sample.others["App.swift"] = """
      protocol AppDependency: Dependency {
        var clock: any Clock { get }
        var name: String { get }
      }

      protocol Forwarding: AppDependency {
        var app: any AppDependency { get }
      }

      extension Forwarding {
        var clock: any Clock { app.clock }
      }

      extension Forwarding where Self: Named {
        var name: String { app.name }
      }

      """
    sample.childBuilder = sample.childBuilder.replacing(
      "DetailDependency: Dependency {}",
      with: "DetailDependency: Dependency {\n  var clock: any Clock { get }\n  var name: String { get }\n}")
    #expect(
      try linked(sample)["Home/HomeComponent+Detail.swift"]?.hasSuffix(
        """
        extension HomeComponent: DetailDependency {
          var name: String { dependency.name }
        }

        """) == true)
  }
}
