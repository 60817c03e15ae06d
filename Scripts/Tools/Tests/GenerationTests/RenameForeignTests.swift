// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("Renaming a RIB leaves alone")
struct RenameForeignTests {
  private let folder = TemporaryFolder()

  /// The RIB `Root`, and another file.
  private func workspace(_ code: String, at path: String = "App/Other.swift") throws -> Workspace {
    try folder.write(SmallRIB.file("Root", []), to: "App/Root/RootBuilder.swift")
    try folder.write(code, to: path)
    return Workspace(root: folder.url)
  }

  /// The other file after renaming `Root` to `Base`, and the notes.
  private func renamed(_ code: String, at path: String = "App/Other.swift") throws -> (text: String, notes: [String]) {
    let workspace = try workspace(code, at: path)
    let notes = try Rename(from: try RIBName("Root"), to: try RIBName("Base")).apply(to: workspace)
    #expect(try workspace.source(at: "App/Base/BaseBuilder.swift").text.contains("class BaseRouter"))
    return (try workspace.source(at: path).text, notes)
  }

  @Test(
    "names of other packages that are like those of its parts",
    arguments: [
      "func show(_ view: UIViewController) { window?.rootViewController = view }\n",
      "final class App { var window: UIWindow?; func show() { window?.rootViewController = nil } }\n",
      "let top = UIApplication.shared.keyWindow?.rootViewController\n",
      "let shown = UINavigationController(rootViewController: ScreenController())\n",
      "final class Bar: UINavigationController { func reset() { rootViewController = nil } }\n",
      "let path = \\UIWindow.rootViewController\n",
    ])
  func foreign(code: String) throws {
    #expect(try renamed(code).text == code)
  }

  /// In each, a declaration is renamed, and a name of another package is not.
  @Test(
    "names of other packages beside equal ones of the app",
    arguments: [
      (
        """
        final class App { // RootRouter
          var window: UIWindow?
          let rootViewController = ScreenController()
          func show() { window?.rootViewController = rootViewController }
        }

        """,
        """
        final class App { // BaseRouter
          var window: UIWindow?
          let baseViewController = ScreenController()
          func show() { window?.rootViewController = baseViewController }
        }

        """
      ),
      (
        "func show(rootViewController: ScreenController) { embed(UINavigationController(rootViewController: rootViewController)) }\nfunc all() { show(rootViewController: ScreenController()) } // RootRouter\n",
        "func show(baseViewController: ScreenController) { embed(UINavigationController(rootViewController: baseViewController)) }\nfunc all() { show(baseViewController: ScreenController()) } // BaseRouter\n"
      ),
      (
        "final class Bar: UINavigationController { override init(rootViewController: UIViewController) { super.init(rootViewController: rootViewController) } }\nstruct Screens { let rootViewController: RootRouter }\nlet screens = Screens(rootViewController: root()).rootViewController\n",
        "final class Bar: UINavigationController { override init(rootViewController: UIViewController) { super.init(rootViewController: rootViewController) } }\nstruct Screens { let baseViewController: BaseRouter }\nlet screens = Screens(baseViewController: root()).baseViewController\n"
      ),
    ])
  func both(code: String, expected: String) throws {
    #expect(try renamed(code).text == expected)
  }

  @Test("what the code does not resolve: it is refused with the line")
  func unknown() throws {
    let code =
      "struct Screens { let rootViewController: RootRouter }\n"
      + "func show() { current().rootViewController = nil }\n"
    let workspace = try workspace(code)
    let rename = Rename(from: try RIBName("Root"), to: try RIBName("Base"))
    let failure = #expect(throws: Failure.self) { try rename.apply(to: workspace) }
    #expect(failure?.message.contains("App/Other.swift:2: rootViewController") == true, "\(failure?.message ?? "")")
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test(
    "what saved trees contain",
    arguments: [
      "extension Host { var savedChildren: [SavedChildren] { [slot.saved(as: \"RootRouter\")] } }\n",
      "enum Place: String, Codable { case rootView = \"RootView\", other }\n",
      "struct State: Codable { var rootRoute: Int }\nfunc count(_ state: State) -> Int { state.rootRoute }\n",
    ])
  func saved(code: String) throws {
    #expect(try renamed(code).text == code)
  }

  @Test("strings, except in tests, and lists those that have the name")
  func strings() throws {
    let code = "let key = \"RootBuilder\"\nlet route = [slot.saved(as: \"RootRouter\")]\n"
    let app = try renamed(code)
    #expect(app.text == code)
    #expect(
      app.notes == [
        "left in a string: App/Other.swift:1: \"RootBuilder\"", "left in a string: App/Other.swift:2: \"RootRouter\"",
      ])
    let tests = try renamed(code, at: "Tests/AppTests/KeyTests.swift")
    #expect(tests.text == "let key = \"BaseBuilder\"\nlet route = [slot.saved(as: \"RootRouter\")]\n")
    #expect(tests.notes.filter { $0.contains("KeyTests") }.count == 1)
  }
}
