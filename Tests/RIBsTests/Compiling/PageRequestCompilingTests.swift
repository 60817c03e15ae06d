// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

extension Mistake {
  private static func pager(_ body: String) -> String {
    "import RIBsLists\nfinal class I: Interactor { var held: PageRequest<Int>?; func pages() -> Pager<Int> { Pager(of: self) { batch in\n\(body)\n} } }"
  }

  static let batches = [
    Mistake(
      name: "completing a batch twice",
      wrong: pager("batch.complete([], isLast: true)\nbatch.complete([], isLast: true)"),
      diagnostic: "'batch' consumed more than once", right: pager("batch.complete([], isLast: true)")),
    Mistake(
      name: "completing a batch after cancelling it", wrong: pager("batch.cancel()\nbatch.complete([], isLast: true)"),
      diagnostic: "'batch' consumed more than once", right: pager("batch.cancel()")),
    Mistake(
      name: "failing a batch on one path, and completing it on all",
      wrong: pager("if self.isActive { batch.fail(CancellationError()) }\nbatch.complete([], isLast: true)"),
      diagnostic: "'batch' consumed more than once",
      right: pager("if self.isActive { batch.fail(CancellationError()) } else { batch.complete([], isLast: true) }")),
    Mistake(
      name: "copying a batch", wrong: pager("let copy = copy batch\nbatch.cancel()\ncopy.cancel()"),
      diagnostic: "'copy' cannot be applied to noncopyable types", right: pager("let moved = batch\nmoved.cancel()")),
    Mistake(
      name: "using a batch that is kept", wrong: pager("self.held = consume batch\nbatch.cancel()"),
      diagnostic: "'batch' consumed more than once",
      right: pager("self.held = consume batch\nself.held.take()?.cancel()")),
    Mistake(
      name: "a batch that leaves the tree", wrong: pager("Task.detached { batch.cancel() }"), diagnostic: "error: ",
      right: pager("self.task { self.held.take()?.cancel() }\nbatch.cancel()")),
  ]
}

@Suite("The compiler, of batches,", .enabled(if: Compiler.isWanted && Compiler() != nil))
struct BatchCompilingTests {
  @Test("refuses to settle one twice, and accepts what settles it once", arguments: Mistake.batches)
  func mistake(_ mistake: Mistake) throws {
    let compiler = try #require(Compiler())
    let diagnostics = try compiler.check(mistake.wrong)
    #expect(diagnostics.contains("error: "))
    #expect(diagnostics.contains(mistake.diagnostic), "\(diagnostics)")
    #expect(try compiler.check(mistake.right) == "")
  }
}
