import Testing

@Suite("The documentation", .enabled(if: Compiler.isWanted))
struct DocumentationTests {
  @Test("has samples in its comments that compile as they stand", arguments: Sample.inComments)
  func comments(sample: Sample) throws {
    try expectCompiles(sample.inContext)
  }

  @Test("has articles whose samples compile as they stand", arguments: Article.all)
  func articles(article: Article) throws {
    try expectCompiles(article.program)
  }

  @Test("of lists has samples in its comments that compile as they stand", arguments: Sample.ofTheLists)
  func lists(sample: Sample) throws {
    try expectCompiles(sample.inListContext)
  }

  @Test("of the test kit has samples in its comments that compile as they stand", arguments: Sample.ofTheTestKit)
  func testKit(sample: Sample) throws {
    try expectCompiles(sample.inTest)
  }

  @Test("of the inspector has samples in its comments that compile as they stand", arguments: Sample.ofTheInspector)
  func inspector(sample: Sample) throws {
    try expectCompiles(sample.inProgram)
  }

  @Test("of the stores has samples in its comments that compile as they stand", arguments: Sample.ofTheStore)
  func store(sample: Sample) throws {
    try expectCompiles(sample.inServer)
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
