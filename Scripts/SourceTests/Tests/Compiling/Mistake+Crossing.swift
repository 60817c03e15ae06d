// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let keeper =
    "actor Keeper { private var kept: Router<Interactor>?; func keep(_ router: sending Router<Interactor>) { kept = router } }\n"

  /// Ways in which an object could be on two sides at once: in a tree, and outside it.
  static let crossing = [
    Mistake(
      "a workflow started on the actor of a nonisolated(nonsending) function", "error: ", isOfTypes: true,
      """
      ‹nonisolated(nonsending) func start(_ workflow: Workflow<Interactor>, _ item: Interactor) async|
      func start(_ workflow: Workflow<Interactor>, _ item: Interactor, isolation: isolated any Actor = #isolation)› {
        _ = workflow.subscribe(item, isolation: #isolation)
      }
      """),
    Mistake(
      "a workflow started on an actor that a nonisolated(nonsending) function has found", race,
      """
      nonisolated(nonsending) func start(_ workflow: Workflow<Interactor>, _ item: Interactor) async {
        ‹let found: (any Actor)? = #isolation
        guard let found else { return }
        _ = await workflow.subscribe(item, isolation: found)|_ = workflow.subscribe(item)›
      }
      """),
    Mistake(
      "the item of a running workflow, sent away", race,
      """
      actor Other { func take(_ item: sending Interactor) {} }
      @MainActor func give(_ other: Other) async {
        let item = Interactor()
        ‹_ = Workflow<Interactor>().subscribe(item, isolation: #isolation)|
        try? await Workflow<Interactor>().run(Interactor())›
        await other.take(item)
      }
      """),
    Mistake(
      "a workflow that runs in async let with an item of the tree", race,
      """
      final class I: Interactor {
        func go() {
          task {
            ‹async let run: Void =|try await› Workflow<I>().run(self)‹
            try await run|›
          }
        }
      }
      """),
    Mistake(
      "a prepared child that its builder keeps", race,
      keeper + """
        final class R: Router<Interactor> {
          func prepare(_ keeper: Keeper) {
            attach(preparing: {
              let child = Router(interactor: Interactor())
              await ‹keeper.keep(child)|Task.yield()›
              return child
            })
          }
        }
        """),
    Mistake(
      "a root that its asynchronous builder keeps", race,
      keeper + """
        func build(_ keeper: Keeper) async {
          _ = await TreeHost { () async in
            let root = Router(interactor: Interactor())
            await ‹keeper.keep(root)|Task.yield()›
            return root
          }
        }
        """),
    Mistake(
      "a child of the tree as a prepared child",
      "capture of 'child' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure", isOfTypes: true,
      """
      final class R: Router<Interactor> {
        let child = Router(interactor: Interactor())
        func prepare() { attach(preparing: { ‹[child] in child|Router(interactor: Interactor())› }) }
      }
      """),
    Mistake(
      "an object of the tree in parallel operations", "capture of 'self' with non-Sendable type", isOfTypes: true,
      """
      final class I: Interactor {
        var total = 0
        func add() {
          task {
            ‹_ = try await inParallel([1]) { number in self.total += number }|
            for number in try await inParallel([1], { $0 + 1 }) { self.total += number }›
          }
        }
      }
      """),
    Mistake(
      "the values of a stream of the tree, read elsewhere", race,
      """
      final class I: Interactor {
        let relay = BehaviorRelay(value: 1)
        func tell() {
          let values = relay.values‹|(boundTo: self)›
          Task.detached { for await value in values { print(value) } }
        }
      }
      """),
    Mistake(
      "the iterator of a stream of the tree, off the tree", race,
      """
      final class I: Interactor {
        let relay = BehaviorRelay(value: 1)
        func read() {
          task {
            var values = self.relay.values.makeAsyncIterator()
            _ = await values.next(‹|isolation: #isolation›)
          }
        }
      }
      """),
    Mistake(
      "a subscription of the tree, disposed of elsewhere", race,
      """
      final class I: Interactor {
        let relay = BehaviorRelay(value: 1)
        func end() {
          let subscription = relay.subscribe(onNext: { _ in })
          ‹Task.detached|task› { subscription.dispose() }
        }
      }
      """),
    Mistake(
      "a list of the tree, updated elsewhere", race,
      "func show(_ presenter: PacedPresenter<Int>) { ‹Task.detached { presenter.present(1) }|presenter.present(1)› }"),
  ]
}
