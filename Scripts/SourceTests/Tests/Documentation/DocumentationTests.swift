// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The documentation")
struct DocumentationTests {
  /// The samples in the comments of each module, as a program.
  private static let programs = [
    "RIBs": Sample.program(of: Sample.inComments, in: Sample.surroundings) { $0.declared($1) },
    "RIBsLists": Sample.program(of: Sample.ofTheLists, in: Sample.lists + Sample.surroundings) { $0.declared($1) },
    "RIBsTesting": Sample.program(of: Sample.ofTheTestKit, in: Sample.test) { $0.inTest($1) },
    "RIBsInspector": Sample.program(of: Sample.ofTheInspector, in: Sample.inspecting) { $0.inFunction($1) },
    "RIBsStore": Sample.program(of: Sample.ofTheStore, in: Sample.server) { $0.inFunction($1) },
  ]

  @Test("has samples in its comments that compile as they stand", arguments: programs.keys.sorted())
  func comments(module: String) throws {
    let program = try #require(DocumentationTests.programs[module])
    try expectCompiles(program)
  }

  @Test("has articles whose samples compile as they stand", arguments: Article.all)
  func articles(article: Article) throws {
    try expectCompiles(article.program)
  }

  /// Expects that a program compiles; otherwise, shows what the compiler says.
  private func expectCompiles(_ program: String, at place: SourceLocation = #_sourceLocation) throws {
    let compiler = try #require(Compiler())
    let messages = try compiler.check(program)
    #expect(messages.isEmpty, "\(messages)", sourceLocation: place)
  }

  @Test("is found, so that the tests above have something to test")
  func found() {
    #expect(Sample.inComments.count >= 15)
    #expect(Article.all.count >= 15)
    #expect(Sample.ofTheLists.count >= 5)
    #expect(Sample.ofTheTestKit.count >= 10)
    #expect(Sample.ofTheInspector.count >= 4)
  }
}
