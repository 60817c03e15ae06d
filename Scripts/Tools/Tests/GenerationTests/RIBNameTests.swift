// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Testing

@testable import Generation

@Suite("The name of a RIB")
struct RIBNameTests {
  @Test(
    "begins with a small letter where properties do",
    arguments: [
      ("Root", "root"), ("LoggedOut", "loggedOut"), ("URLList", "urlList"), ("ETA", "eta"), ("A", "a"), ("X2", "x2"),
      ("UIKit", "uiKit"),
    ])
  func lowerCamel(name: String, expected: String) throws {
    #expect(try RIBName(name).lowerCamel == expected)
  }

  @Test(
    "is refused if nothing can be named after it, and the reason is given",
    arguments: [
      ("", "empty"), ("loggedOut", "did you mean 'LoggedOut'?"), ("Class", "'class', the name of its property"),
      ("Protocol", "keyword"), ("Type", "keyword"), ("Self", "keyword"), ("self", "keyword"), ("init", "keyword"),
      ("Default", "keyword"), ("Öffnen", "A to Z"), ("Büro", "A to Z"), ("🚕", "A to Z"), ("1Order", "identifier"),
      ("Logged Out", "identifier"), ("Logged.Out", "identifier"), ("../Order", "identifier"), ("A_B", "identifier"),
      ("Interactor", "every router has"), ("Children", "every router has"), ("Lifecycle", "every router has"),
      ("Interactable", "every router has"), ("ViewController", "every router has"), ("NodeID", "every router has"),
      ("Viewable", "module RIBs"), ("Empty", "module RIBs"),
      ("Pods", "are not read"), ("Carthage", "are not read"), ("DerivedData", "are not read"),
      (String(repeating: "A", count: 36), "36 letters"),
    ])
  func refusal(name: String, reason: String) {
    let failure = #expect(throws: Failure.self) { try RIBName(name) }
    #expect(failure?.status == 64)
    #expect(failure?.message.contains(reason) == true)
  }

  @Test("is refused if the runtime's routers have a property that is named like the child's")
  func routerProperties() throws {
    let folder = TemplateLibrary.builtIn.deletingLastPathComponent().appending(path: "Sources/RIBs/Router")
    var names: Set<String> = []
    for path in FileFinder.swiftFiles(below: folder) {
      let file = SourceFile(path: path, text: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
      for declaration in file.declarations where ["Router", "RouterNode", "ViewableRouter"].contains(declaration.name) {
        for variable in declaration.variables {
          let words = variable.modifiers.map(\.name.text)
          let isStatic = words.contains("static") || words.contains("class")
          if words.contains("public") || words.contains("open"), !isStatic {
            names.formUnion([variable.firstName ?? ""])
          }
        }
      }
    }
    names = names.filter { $0.first?.isLowercase == true }
    #expect(names.isSuperset(of: ["children", "interactor", "lifecycle", "viewController"]))
    for name in names {
      #expect(throws: Failure.self, "\(name)") { try RIBName(name.prefix(1).uppercased() + name.dropFirst()) }
    }
  }

  @Test(
    "may be a word that Swift knows in some places only", arguments: ["Get", "Set", "Open", "Async", "Left", "Some"])
  func contextualKeyword(name: String) throws { _ = try RIBName(name) }
}
