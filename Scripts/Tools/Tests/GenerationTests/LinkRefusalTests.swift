// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("What can't be edited safely is refused, with nothing changed")
struct LinkRefusalTests {
  /// A form of a RIB that a link does not support.
  enum Case: String, CaseIterable {
    case twoInitializers, twoRouters, ownSuperclass, ownBuilderInitializer, asyncBuild, listenerWithResult,
      listenerParent
    case missingDependency, memberInTheWay, noRoutingProtocol, noComponent, noSuperCall
    case foreignInteractable, noConformer, noListener

    var sample: SampleParent {
      var sample = SampleParent()
      func router(_ body: String) {
        sample.router = sample.router.replacing("HomeRouting {}", with: "HomeRouting {\n\(body)\n}")
      }
      switch self {
      case .twoInitializers: router("  init() {}\n\n  override init(interactor: any HomeInteractable) {}")
      case .twoRouters:
        sample.builder = sample.builder.replacing("return router", with: "return HomeRouter(interactor: interactor)")
      case .ownSuperclass: sample.router = sample.router.replacing("Router<any HomeInteractable>", with: "BaseRouter")
      case .ownBuilderInitializer:
        sample.childBuilder = sample.childBuilder.replacing(
          "DetailBuildable {\n  func build", with: "DetailBuildable {\n  init(clock: Int) {}\n\n  func build")
      case .asyncBuild:
        sample.childBuilder = sample.childBuilder.replacing(
          ") -> any DetailRouting\n", with: ") async -> any DetailRouting\n")
      case .listenerWithResult:
        sample.childListener = sample.childListener.replacing("DidFinish()", with: "MayFinish() -> Bool")
      case .listenerParent: sample.childListener = sample.childListener.replacing("AnyObject", with: "BaseListener")
      case .missingDependency:
        sample.childBuilder = sample.childBuilder.replacing(
          "Dependency {}", with: "Dependency { var clock: Int { get } }")
      case .memberInTheWay: router("  func routeToDetail() {}")
      case .noRoutingProtocol:
        sample.interactor = sample.interactor.replacing("protocol HomeRouting: Routing {}\n", with: "")
      case .noComponent:
        sample.builder = sample.builder.replacing(
          "final class HomeComponent: Component<any HomeDependency> {}\n", with: "")
      case .noSuperCall: router("  override init(interactor: any HomeInteractable) { fatalError() }")
      case .foreignInteractable:
        sample.router = sample.router.replacing("protocol HomeInteractable", with: "protocol Own")
      case .noConformer:
        sample.interactor = sample.interactor.replacing("Interactor, HomeInteractable", with: "Interactor")
      case .noListener: sample.childListener = ""
      }
      return sample
    }

    var reason: String {
      switch self {
      case .twoInitializers: "2 initializers"
      case .twoRouters: "makes HomeRouter in 2 places"
      case .ownSuperclass: "no subclass of Router<…>"
      case .ownBuilderInitializer: "not made with a dependency alone"
      case .asyncBuild: "is async, throws, or is generic"
      case .listenerWithResult: "a method without a result (Detail/DetailListener.swift:2)"
      case .listenerParent: "inherits from 'BaseListener', which is not declared here"
      case .missingDependency: "does not have what 'DetailDependency' (Detail/DetailBuilder.swift:3) asks for"
      case .memberInTheWay: "has a member 'routeToDetail' of its own"
      case .noRoutingProtocol: "no protocol 'HomeRouting'"
      case .noComponent: "no class 'HomeComponent' to provide what 'DetailDependency' (Detail/DetailBuilder.swift:3)"
      case .noSuperCall: "no call of super.init"
      case .foreignInteractable: "HomeRouter (Home/HomeRouter.swift:7) knows its interactor, is not declared"
      case .noConformer: "no class 'HomeInteractor' conforms to 'HomeInteractable' (Home/HomeRouter.swift:3)"
      case .noListener: "which 'DetailBuilder' (Detail/DetailBuilder.swift:9) takes"
      }
    }
  }

  private let folder = TemporaryFolder()

  @Test("when linking", arguments: Case.allCases)
  func link(refused: Case) throws {
    let workspace = try refused.sample.workspace(in: folder)
    let link = try SampleParent.link()
    let failure = #expect(throws: Failure.self) { try link.apply(to: workspace) }
    #expect(failure?.status == 73)
    #expect(failure?.message.contains(refused.reason) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("Nothing was changed.") == true)
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test("when linking, with the lines to write by hand")
  func byHand() throws {
    let workspace = try Case.twoInitializers.sample.workspace(in: folder)
    let link = try SampleParent.link()
    let message = #expect(throws: Failure.self) { try link.apply(to: workspace) }?.message ?? ""
    for line in [
      "detailBuilder: DetailBuilder(dependency: component)", "private let detailBuilder: any DetailBuildable",
      "let detail = detailBuilder.build(withListener: interactor)", "func detachDetail()",
      "func detailDidFinish() { router?.detachDetail() }", "extension HomeComponent: DetailDependency {}",
    ] {
      #expect(message.contains(line))
    }
  }

  @Test("when linking twice, or to itself")
  func twice() throws {
    let workspace = try SampleParent().workspace(in: folder)
    _ = try SampleParent.link().apply(to: workspace)
    let link = try SampleParent.link()
    let failure = #expect(throws: Failure.self) { try link.apply(to: workspace) }
    #expect(failure?.message.contains("linked to 'Home' already (Home/HomeRouter.swift:8)") == true)
    let own = Link(child: link.parent, parent: link.parent, templates: link.templates)
    #expect(throws: Failure.usage("'Home' can't be its own parent")) { try own.apply(to: workspace) }
  }

  @Test(
    "when unlinking what is still used in a way that can't be taken out",
    arguments: [
      (
        "  func detach", "  lazy var action = routeToDetail\n\n  func detach", "Home/HomeRouter.swift:23: routeToDetail"
      ),
      (
        "  private var detail:",
        "  let feedBuilder = FeedBuilder()\n  override func didLoad() { show(detailBuilder, feedBuilder) }\n"
          + "  private let feed: FeedBuilder\n  private var detail:",
        "a statement of 'didLoad' (Home/HomeRouter.swift:10) is about 'Detail' and another child"
      ),
    ])
  func unlink(written: String, changed: String, reason: String) throws {
    let path = "Home/HomeRouter.swift"
    let workspace = try SampleParent().workspace(in: folder)
    _ = try SampleParent.link().apply(to: workspace)
    let text = try workspace.source(at: path).text
    #expect(text.contains(written))
    let edited = text.replacing(written, with: changed).replacing(
      "let feedBuilder =", with: "let feedBuilder: FeedBuilder =")
    workspace.write(edited, to: path)
    let before = try workspace.plan()
    let unlink = try SampleParent.unlink()
    let failure = #expect(throws: Failure.self) { try unlink.apply(to: workspace) }
    #expect(failure?.status == 73)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    #expect(try workspace.plan() == before)
  }

  @Test("when unlinking what is not linked, with the types that were looked for")
  func notLinked() throws {
    let workspace = try SampleParent().workspace(in: folder)
    let unlink = try SampleParent.unlink()
    let failure = #expect(throws: Failure.self) { try unlink.apply(to: workspace) }
    #expect(
      failure
        == .missing(
          "HomeRouter (Home/HomeRouter.swift:7) has no property of type 'DetailBuildable' or 'DetailBuilder'; where it "
            + "attaches 'Detail' in another way, if it does, is in 'ribs tree --root Home --format json'"))
  }

  @Test("when a RIB would stand below one that it is above")
  func ancestor() throws {
    let workspace = try SampleParent().workspace(in: folder)
    _ = try SampleParent.link().apply(to: workspace)
    let before = try workspace.plan()
    let link = Link(child: try RIBName("Home"), parent: try RIBName("Detail"), templates: try TemplateLibrary())
    let failure = #expect(throws: Failure.self) { try link.apply(to: workspace) }
    #expect(failure?.status == 73)
    #expect(failure?.message.hasPrefix("'Home' is above 'Detail' (Home → Detail)") == true, "\(failure?.message ?? "")")
    #expect(try workspace.plan() == before)
  }

  @Test("when there is no such RIB, which may have another name")
  func missing() throws {
    let workspace = try SampleParent().workspace(in: folder)
    let link = Link(child: try RIBName("Detial"), parent: try RIBName("Home"), templates: try TemplateLibrary())
    let failure = #expect(throws: Failure.self) { try link.apply(to: workspace) }
    #expect(failure == .missing("there is no RIB 'Detial' here; did you mean 'Detail'?"))
  }
}
