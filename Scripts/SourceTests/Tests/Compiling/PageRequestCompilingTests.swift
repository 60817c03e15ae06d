// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

extension Mistake {
  private static func pager(_ body: String) -> String {
    "import RIBsLists\nfinal class I: Interactor { var held: PageRequest<Int>?; func pages() -> Pager<Int> { Pager(of: self) { batch in\n\(body)\n} } }"
  }

  private static let consumed = "'batch' consumed more than once"

  static let batches = [
    Mistake(
      "completing a batch twice", consumed,
      pager("batch.complete([], isLast: true)‹\nbatch.complete([], isLast: true)|›")),
    Mistake(
      "completing a batch after cancelling it", consumed,
      pager("batch.cancel()‹\nbatch.complete([], isLast: true)|›")),
    Mistake(
      "failing a batch on one path, and completing it on all", consumed,
      pager(
        "if self.isActive { batch.fail(CancellationError()) } ‹\n|else { ›batch.complete([], isLast: true)‹| }›")),
    Mistake(
      "copying a batch", "'copy' cannot be applied to noncopyable types",
      pager("let other = ‹copy batch\nbatch.cancel()|batch›\nother.cancel()")),
    Mistake(
      "using a batch that is kept", consumed,
      pager("self.held = consume batch\n‹batch.cancel()|self.held.take()?.cancel()›")),
    Mistake(
      "a batch that leaves the tree", "error: ",
      pager("‹Task.detached { batch.cancel() }|self.task { self.held.take()?.cancel() }\nbatch.cancel()›")),
  ]
}

@Suite("The compiler, of batches,")
struct BatchCompilingTests {
  @Test("refuses to settle one twice, and accepts what settles it once", arguments: Mistake.batches)
  func mistake(_ mistake: Mistake) throws {
    let compiler = try #require(Compiler())
    mistake.expectDistinguished((try compiler.check(mistake.wrong), try compiler.check(mistake.right)))
  }
}
