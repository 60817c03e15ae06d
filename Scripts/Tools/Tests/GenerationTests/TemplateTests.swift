// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import Generation

@Suite("Templates")
struct TemplateTests {
  private let folder = TemporaryFolder()

  private func resolved(_ lines: String..., holding: Set<String>) throws -> [String] {
    try TemplateConditions(holding: holding).resolved(lines.joined(separator: "\n"), of: "A.swift")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "include the first section whose condition is true",
    arguments: [
      ([], ["start", "none", "end"]), (["__View__"], ["start", "view", "end"]),
      (["__Presenter__"], ["start", "presenter", "end"]), (["__View__", "__Presenter__"], ["start", "both", "end"]),
    ] as [(Set<String>, [String])])
  func sections(holding: Set<String>, expected: [String]) throws {
    let lines = try resolved(
      "start", "#if __View__ && __Presenter__", "both", "  #elseif __View__", "view", "#elseif __Presenter__",
      "presenter", "#else", "none", "#endif", "end", holding: holding)
    #expect(lines == expected)
  }

  @Test("nest sections, negate names and connect them")
  func nesting() throws {
    func lines(_ holding: Set<String>) throws -> [String] {
      try resolved(
        "#if !__Root__", "a", "#if __View__ || __Presenter__", "b", "#else", "c", "#endif", "d", "#else", "e",
        "#if __View__", "f", "#endif", "#endif", holding: holding)
    }
    #expect(try lines([]) == ["a", "c", "d"])
    #expect(try lines(["__View__"]) == ["a", "b", "d"])
    #expect(try lines(["__Root__", "__Presenter__"]) == ["e"])
    #expect(try lines(["__Root__", "__View__"]) == ["e", "f"])
  }

  @Test("keep the conditional compilation of the generated code")
  func conditionalCompilation() throws {
    let lines = try resolved(
      "#if DEBUG", "a", "#if __View__", "b", "#else", "c", "#endif", "#elseif os(Linux)", "d", "#else", "e", "#endif",
      holding: [])
    #expect(lines == ["#if DEBUG", "a", "c", "#elseif os(Linux)", "d", "#else", "e", "#endif"])
  }

  @Test("are refused if a section does not end, or its condition is unknown")
  func errors() {
    #expect(throws: Failure.refused("the template 'A.swift:2' has an #if without an #endif", advice: [])) {
      try resolved("a", "#if __View__", "#else", "a", holding: [])
    }
    #expect(throws: Failure.refused("the template 'A.swift:2' has an #if without an #endif", advice: [])) {
      try resolved("#if __View__", "#if DEBUG", holding: [])
    }
    let error = #expect(throws: Failure.self) { try resolved("a", "#if __Screen__", "a", "#endif", holding: []) }
    #expect(error?.message.hasPrefix("the template 'A.swift:2' has an unknown condition '__Screen__'") == true)
  }

  @Test("have a file only for variants that need it")
  func files() throws {
    let library = try TemplateLibrary()
    func names(_ holding: Set<String>) throws -> [String] {
      let template = TemplateLibrary.Template(
        name: "Other", shared: "RIB", conditions: TemplateConditions(holding: holding))
      return try library.files(of: template, part: "Sources").map(\.name)
    }
    let always = ["__RIB__Builder.swift", "__RIB__Interactor.swift", "__RIB__Router.swift"]
    #expect(try names([]) == always)
    #expect(try names(["__Presenter__"]).filter { !always.contains($0) } == ["__RIB__Presenter.swift"])
    #expect(try names(["__View__"]).filter { !always.contains($0) } == ["__RIB__ViewController.swift"])
    #expect(try names(["__Plugin__"]).filter { !always.contains($0) } == ["__RIB__Plugin.swift"])
    #expect(try names(["__View__", "__Presenter__"]).count == 5)
  }

  @Test("of a team take precedence: those of one variant, then those of all")
  func precedence() throws {
    func text() throws -> String? {
      let library = try TemplateLibrary(own: folder.url.appending(path: "Ours"))
      return try library.files(of: .init(name: "Viewless", shared: "RIB"), part: "Sources").first?.text
    }
    try folder.write("// Nothing.\n", to: "Ours/Other/Sources/A.swift")
    #expect(try text()?.contains("protocol __RIB__Dependency") == true)
    try folder.write("// All.\n", to: "Ours/RIB/Sources/A.swift")
    #expect(try text() == "// All.\n")
    try folder.write("// One.\n", to: "Ours/Viewless/Sources/A.swift")
    #expect(try text() == "// One.\n")
  }
}
