// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

@testable import RIBs
import RIBsTesting
import Testing
import TestSupport

#if DEBUG
  /// A relay that code outside its tree has, as language mode 5 allows without a diagnostic.
  private final class Stolen: @unchecked Sendable {
    let relay = BehaviorRelay(value: 0)
    var tree: Tree?
  }

  /// The actor of a tree that code outside it has.
  private actor Owner {
    func launch(_ stolen: Stolen) {
      let tree = Tree.launched(Router(interactor: ReadingInteractor(stolen)))
      _ = tree.snapshot()
      stolen.tree = tree
    }
  }

  private final class ReadingInteractor: Interactor {
    private let stolen: Stolen
    private(set) var seen: [Int] = []

    init(_ stolen: Stolen) { self.stolen = stolen }

    override func didBecomeActive() {
      super.didBecomeActive()
      stolen.relay.map { $0 }.subscribe(with: self, onNext: { $0.seen.append($1) })
        .disposeOnDeactivate(interactor: self)
    }
  }

  @Suite("A stream of a tree, in debug builds", .folded)
  struct StreamIsolationTests {
    @Test("stops code that sends a value outside the tree's actor")
    func sending() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let stolen = Stolen()
        let host = await TreeHost { Router(interactor: ReadingInteractor(stolen)) }
        stolen.relay.accept(1)
        await host.shutdown()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Incorrect actor executor assumption"))
    }

    @Test("stops code that takes a snapshot of the tree outside its actor")
    func snapshot() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let stolen = Stolen()
        let owner = Owner()
        await owner.launch(stolen)
        _ = stolen.tree?.snapshot()
        withExtendedLifetime(owner) {}
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Incorrect actor executor assumption"))
    }

    @Test("is checked behind every operator", arguments: OperatorForm.all)
    func operators(form: OperatorForm) {
      let scopes = Scopes()
      let (relay, other) = (BehaviorRelay(value: Tracked(0)), BehaviorRelay(value: Tracked(-1)))
      let token = form.make(relay.asObservable(), scopes.surroundings(other)).subscribe(onNext: { _ in })
      scopes.bind(token, to: .interactor)
      // A source that the operator subscribes to later.
      relay.accept(Tracked(1))
      #expect(relay.subject.subscriberCount == 0 || relay.subject.tree != nil)
      #expect(other.subject.subscriberCount == 0 || other.subject.tree != nil)
      scopes.test.finish()
    }

    @Test("accepts values on that actor, and anywhere after the end of the tree")
    func allowed() async throws {
      let stolen = Stolen()
      let host = await TreeHost { Router(interactor: ReadingInteractor(stolen)) }
      let seen = try await host.perform { root in
        stolen.relay.accept(1)
        return root.interactor.seen
      }
      #expect(seen == [0, 1])
      await host.shutdown()
      stolen.relay.accept(2)
      #expect(stolen.relay.value == 2)
    }
  }
#endif
