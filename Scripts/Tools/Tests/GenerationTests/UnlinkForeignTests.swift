// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

/// `Home` and `HomeList`, whose folder is in Home's, both attach `Detail`.
@Suite("Unlinking a child leaves alone")
struct UnlinkForeignTests {
  private let folder = TemporaryFolder()

  private func workspace(_ others: [String: String] = [:]) throws -> Workspace {
    var files = [
      "Home/HomeBuilder.swift": SmallRIB.builder("Home", ["Detail", "HomeList"]),
      "Home/HomeRouter.swift": SmallRIB.router("Home", ["Detail", "HomeList"]),
      "Home/HomeInteractor.swift": SmallRIB.interactor("Home", ["Detail", "HomeList"]),
      "Home/HomeList/HomeListBuilder.swift": SmallRIB.builder("HomeList", ["Detail"]),
      "Home/HomeList/HomeListRouter.swift": SmallRIB.router("HomeList", ["Detail"]),
      "Home/HomeList/HomeListInteractor.swift": SmallRIB.interactor("HomeList", ["Detail"]),
      "Detail/Detail.swift": SmallRIB.file("Detail", []),
    ]
    files.merge(others) { $1 }
    for (path, text) in files { try folder.write(text, to: path) }
    return Workspace(root: folder.url)
  }

  private func unlink(in workspace: Workspace) throws -> [String] {
    try Unlink(child: try RIBName("Detail"), parent: try RIBName("Home")).apply(to: workspace)
  }

  private func refusal(_ others: [String: String]) throws -> String {
    let workspace = try workspace(others)
    let failure = #expect(throws: Failure.self) { try unlink(in: workspace) }
    #expect(try workspace.plan().changes.isEmpty)
    return failure?.message ?? ""
  }

  @Test("a RIB in the parent's folder whose router has methods of the same names")
  func nestedFolder() throws {
    let workspace = try workspace()
    #expect(try unlink(in: workspace) == [])
    #expect(try workspace.plan().changes.allSatisfy { !$0.path.contains("HomeList") })
    #expect(try workspace.plan().changes.map(\.path).sorted().contains("Home/HomeInteractor.swift"))
    for path in ["Home/HomeInteractor.swift", "Home/HomeRouter.swift", "Home/HomeBuilder.swift"] {
      #expect(try !workspace.source(at: path).text.contains("Detail"), "\(path)")
    }
  }

  @Test("and refuses if another RIB calls a method of the parent's router")
  func foreignCall() throws {
    let message = try refusal([
      "Home/HomeList/HomeListWorker.swift": """
      final class HomeListWorker {
        weak var home: (any HomeRouting)?
        func open() { home?.attachDetail() }
      }

      """
    ])
    #expect(message.contains("Home/HomeList/HomeListWorker.swift:3: attachDetail"), "\(message)")
  }

  @Test("and refuses if the code does not say whose method is called")
  func unknownReceiver() throws {
    let message = try refusal(["Links/Links.swift": "func open() { current().attachDetail() }\n"])
    #expect(message.contains("Links/Links.swift:1: current().attachDetail"), "\(message)")
  }

  @Test("and refuses if another protocol requires a method of the parent's router")
  func otherProtocol() throws {
    let message = try refusal([
      "Links/Showing.swift":
        "protocol DetailShowing: AnyObject { func attachDetail() }\nextension HomeRouter: DetailShowing {}\n"
    ])
    #expect(message.contains("Links/Showing.swift:1: attachDetail"), "\(message)")
  }

  @Test("nothing of the parent's own: a call in a closure that takes the router goes")
  func closure() throws {
    let code = """
      extension HomeRouter {
        func later() {
          perform { router in
            log()
            router.attachDetail()
          }
        }
      }

      """
    let workspace = try workspace(["Home/HomeRouter+Later.swift": code])
    #expect(try unlink(in: workspace) == [])
    let left = code.replacing("      router.attachDetail()\n", with: "")
    #expect(try workspace.source(at: "Home/HomeRouter+Later.swift").text == left)
  }

  @Test(
    "a call whose receiver is of another type",
    arguments: [
      "func open(_ home: any HomeListRouting) { home.attachDetail() }",
      "func open() { let home = HomeListRouter(interactor: HomeListInteractor()); home.attachDetail() }",
      "final class Other { var router: HomeListRouting?; func open() { self.router?.attachDetail() } }",
      "final class Other { var router: HomeListRouting?; func open() { if let router { router.attachDetail() } } }",
      "final class Other: HomeListInteractor { func more() { router?.attachDetail() } }",
      "final class Other { func attachDetail() {}; func open() { attachDetail() } }",
      "func open() { (top as? HomeListRouting)?.attachDetail() }",
    ])
  func otherReceiver(code: String) throws {
    let workspace = try workspace(["Links/Links.swift": code + "\n"])
    #expect(try unlink(in: workspace) == [])
    #expect(try workspace.source(at: "Links/Links.swift").text == code + "\n")
  }

  @Test("counters of another child that begin with the name of the removed method, and names lines of tests")
  func counters() throws {
    let double = """
      final class HomeRoutingMock: HomeRouting {
        var attachDetailCallCount = 0
        var attachDetailListCallCount = 0
        func attachDetail() { attachDetailCallCount += 1 }
        func detachDetail() {}
        func attachDetailList() { attachDetailListCallCount += 1 }
        func attachHomeList() {}
        func detachHomeList() {}
      }

      """
    let tests = """
      struct HomeInteractorTests {
        let routing = HomeRoutingMock()
        let listRouting = HomeListRoutingMock()
        func tap() {
          routing.attachDetail()
          check(routing.attachDetailCallCount == 1 && routing.attachDetailListCallCount == 0)
          check(listRouting.attachDetailCallCount == 1)
        }
      }

      """
    let workspace = try workspace([
      "Tests/HomeMocks.swift": double, "Tests/HomeInteractorTests.swift": tests,
      "Tests/HomeListMocks.swift": """
      final class HomeListRoutingMock: HomeListRouting {
        var attachDetailCallCount = 0
        func attachDetail() { attachDetailCallCount += 1 }
        func detachDetail() {}
      }

      """,
    ])
    let notes = try unlink(in: workspace)
    #expect(
      notes == [
        "this test uses what is gone: Tests/HomeInteractorTests.swift:5 (attachDetail)",
        "this test uses what is gone: Tests/HomeInteractorTests.swift:6 (attachDetailCallCount)",
      ])
    #expect(
      try workspace.source(at: "Tests/HomeMocks.swift").text == """
        final class HomeRoutingMock: HomeRouting {
          var attachDetailListCallCount = 0
          func attachDetailList() { attachDetailListCallCount += 1 }
          func attachHomeList() {}
          func detachHomeList() {}
        }

        """)
    #expect(try workspace.source(at: "Tests/HomeInteractorTests.swift").text == tests)
  }
}
