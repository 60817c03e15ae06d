// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

#if DEBUG
  /// A way into the code of a tree.
  private enum Entry: String, CaseIterable, Codable, Sendable {
    case attachChild, detachChild, task, run, accept, value, subscribe, first, values, checkpoint
  }

  private final class EnteredInteractor: Interactor {

    let child = Router(interactor: Interactor())
    /// Bound in the tree, so that it knows it.
    let relay = BehaviorRelay(value: 0)

    override func didBecomeActive() {
      super.didBecomeActive()
      relay.subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: self)
    }

    func enter(_ entry: Entry, under router: Router<EnteredInteractor>) async throws {
      switch entry {
      case .attachChild: router.attachChild(child)
      case .detachChild: router.detachChild(child)
      case .task: task {}
      case .run: run({ 1 }) { _ in }
      case .accept: relay.accept(1)
      case .value: _ = relay.value
      case .subscribe: relay.subscribe(onNext: { _ in }).dispose()
      case .first: _ = await relay.first()
      case .values: for await _ in relay.values { break }
      case .checkpoint: try await checkpoint()
      }
    }

    static func host() async -> TreeHost<Router<EnteredInteractor>> {
      await TreeHost { Router(interactor: EnteredInteractor()) }
    }
  }

  /// Takes a RIB off its tree, which the compiler accepts (Swift 6.3).
  private func enterOffTree(_ root: Router<EnteredInteractor>, _ entry: Entry) async throws {
    try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await root.interactor.enter(entry, under: root)
    }
  }

  @Suite("The code of a tree, in debug builds, that is entered")
  struct TreeIsolationTests {
    @Test("on another executor stops at the first call of the runtime", arguments: Entry.allCases)
    fileprivate func offTree(entry: Entry) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [entry] in
        let host = await EnteredInteractor.host()
        try await host.perform { root in try await enterOffTree(root, entry) }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Incorrect actor executor assumption"), "\(text)")
    }

    @Test("on its actor continues")
    func onTree() async throws {
      let host = await EnteredInteractor.host()
      for entry in Entry.allCases {
        try await host.perform { root in try await root.interactor.enter(entry, under: root) }
      }
      await host.shutdown()
    }
  }
#endif
