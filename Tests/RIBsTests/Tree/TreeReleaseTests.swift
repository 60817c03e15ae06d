// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

#if DEBUG
  @MainActor
  private final class ScreenRouter: Router<Interactor> {
    nonisolated override init(interactor: Interactor) { super.init(interactor: interactor) }

    isolated deinit {}
  }

  @MainActor
  private final class ScreenInteractor: Interactor {
    isolated deinit {}
  }

  @MainActor
  private final class ScreenWorker: Worker {
    isolated deinit {}
  }

  /// An object with an isolated deinit, which the compiler accepts (Swift 6.3).
  private enum IsolatedObject: String, CaseIterable, Codable, Sendable {
    case router, interactor, worker

    /// Attaches the object to a tree, and releases it.
    func live(under root: Router<Interactor>) {
      switch self {
      case .router:
        let router = ScreenRouter(interactor: Interactor())
        router.attachChild(Router(interactor: Interactor()))
        root.attachAndDetach(router)
      case .interactor: root.attachAndDetach(Router(interactor: ScreenInteractor()))
      case .worker:
        let worker = ScreenWorker()
        worker.start(root.interactor)
        worker.stop()
      }
    }
  }

  @Suite("A release of what was active in a tree, in debug builds,")
  struct TreeReleaseTests {
    @Test("outside the tree's actor stops", arguments: IsolatedObject.allCases)
    fileprivate func offTree(object: IsolatedObject) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [object] in
        let host = await TreeHost { Router(interactor: Interactor()) }
        try await host.perform { root in object.live(under: root) }
        // Swift has scheduled the deinit on the main actor before.
        await MainActor.run {}
        await host.shutdown()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Incorrect actor executor assumption"), "\(text)")
    }

    @Test("is allowed after the end of the tree")
    func afterEnd() async throws {
      let host = await TreeHost { Router(interactor: Interactor()) }
      try await host.perform { root in
        root.attachChild(ScreenRouter(interactor: Interactor()))
        ScreenWorker().start(root.interactor)
      }
      await host.shutdown()
      await MainActor.run {}
    }
  }
#endif
