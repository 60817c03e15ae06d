// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Code that breaks the isolation of a tree, and that the compiler accepts (Swift 6.3).
private struct AcceptedMistake: Sendable, CustomTestStringConvertible {
  let name: String
  let code: String

  var testDescription: String { name }

  static let all = [
    AcceptedMistake(
      name: "an object that Mutex.withLock returns to two trees",
      code: """
        import Synchronization
        final class Model { var number = 0 }
        final class I: Interactor {
          private let model: Model
          init(_ model: Model) { self.model = model }
        }
        final class Shared: Sendable { let model = Mutex(Model()) }
        func share(_ shared: Shared) async {
          _ = await TreeHost { Router(interactor: I(shared.model.withLock { $0 })) }
          _ = await TreeHost { Router(interactor: I(shared.model.withLock { $0 })) }
        }
        """),
    AcceptedMistake(
      name: "withTaskExecutorPreference in perform, and in a function that bound work calls",
      code: """
        final class I: Interactor {
          var number = 0
          func count() async { number += 1 }
          func start() { task { await move(self) } }
        }
        func move(_ interactor: I) async {
          await withTaskExecutorPreference(globalConcurrentExecutor) { await interactor.count() }
        }
        func leak(_ host: TreeHost<Router<I>>) async throws {
          try await host.perform { root in
            await withTaskExecutorPreference(globalConcurrentExecutor) { await root.interactor.count() }
          }
        }
        """),
    AcceptedMistake(
      name: "an isolated deinit of a router, an interactor and a worker",
      code: """
        @MainActor final class R: Router<Interactor> {
          nonisolated override init(interactor: Interactor) { super.init(interactor: interactor) }
          isolated deinit {}
        }
        @MainActor final class I: Interactor { isolated deinit {} }
        @MainActor final class W: Worker { isolated deinit {} }
        actor Home {
          func attach(to root: Router<Interactor>) {
            root.attachChild(R(interactor: Interactor()))
            root.attachChild(Router(interactor: I()))
            W().start(root.interactor)
          }
        }
        """),
  ]
}

@Suite("The compiler")
struct AcceptedMistakeTests {
  @Test("accepts what the limits in the article on isolation list", arguments: AcceptedMistake.all)
  fileprivate func accepted(_ mistake: AcceptedMistake) throws {
    let mode = Compiler.Mode(features: ["NonisolatedNonsendingByDefault"])
    let text = try #require(Compiler()).check(mistake.code, mode)
    #expect(
      text == "",
      "The compiler refuses \(mistake.name) now: remove it from the limits in Isolation.md, and add it to Mistake.all.")
  }
}
