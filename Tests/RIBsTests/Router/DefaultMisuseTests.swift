// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import Testing

@Suite("Misuse without a handler", .folded)
struct DefaultMisuseTests {
  #if DEBUG
    private static let result = ExitTest.Condition.failure
  #else
    private static let result = ExitTest.Condition.success
  #endif

  @Test("stops a debug build, and not a release build, with the path, what happened and what to do")
  func error() async {
    let result = await #expect(processExitsWith: Self.result, observing: [\.standardErrorContent]) {
      let router = Router(interactor: Interactor())
      router.attachChild(router)
      precondition(router.children.isEmpty)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("can't be attached: it is this router, or above it. Build a new RIB for the child."))
  }

  @Test("is discarded, and ends no process and blocks none, if standard error is not read", arguments: [false, true])
  func unreadError(isClosed: Bool) async {
    await #expect(processExitsWith: .success) { [isClosed] in
      let usual = dup(STDERR_FILENO)
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO)
      if isClosed { close(ends[0]) }
      close(ends[1])
      signal(SIGPIPE, SIG_DFL)
      // Ends a process that blocks.
      alarm(20)
      writeToStandardError(String(repeating: "x", count: 100_000))
      Disposables.create().disposeOnDeactivate(interactor: Interactor())
      // What ends the test writes there, too.
      dup2(usual, STDERR_FILENO)
    }
  }

  @Test("that is a warning is written to standard error in every build, which continues")
  func warning() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Disposables.create().disposeOnDeactivate(interactor: Interactor())
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A subscription was disposed of at once: the interactor is not active."))
  }
}
