// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let race = "risks causing data races"
  private static let keeper =
    "actor Keeper { private var kept: Router<Interactor>?; func keep(_ router: sending Router<Interactor>) { kept = router } }\n"

  /// Ways in which an object could be on two sides at once: in a tree, and outside it.
  static let crossing = [
    Mistake(
      name: "a workflow started on the actor of a nonisolated(nonsending) function",
      isOfTypes: true,
      wrong: """
        nonisolated(nonsending) func start(_ workflow: Workflow<Interactor>, _ item: Interactor) async {
          _ = workflow.subscribe(item, isolation: #isolation)
        }
        """,
      diagnostic: "error: ",
      right: """
        func start(_ workflow: Workflow<Interactor>, _ item: Interactor, isolation: isolated any Actor = #isolation) {
          _ = workflow.subscribe(item, isolation: isolation)
        }
        """),
    Mistake(
      name: "a workflow started on an actor that a nonisolated(nonsending) function has found",
      wrong: """
        nonisolated(nonsending) func start(_ workflow: Workflow<Interactor>, _ item: Interactor) async {
          let found: (any Actor)? = #isolation
          guard let found else { return }
          _ = await workflow.subscribe(item, isolation: found)
        }
        """,
      diagnostic: race,
      right: """
        nonisolated(nonsending) func start(_ workflow: Workflow<Interactor>, _ item: Interactor) async {
          _ = workflow.subscribe(item)
        }
        """),
    Mistake(
      name: "the item of a running workflow, sent away",
      wrong: """
        actor Other { func take(_ item: sending Interactor) {} }
        @MainActor func leak(_ other: Other) async {
          let item = Interactor()
          _ = Workflow<Interactor>().subscribe(item, isolation: #isolation)
          await other.take(item)
        }
        """,
      diagnostic: race,
      right: """
        actor Other { func take(_ item: sending Interactor) {} }
        @MainActor func give(_ other: Other) async {
          let item = Interactor()
          try? await Workflow<Interactor>().run(Interactor())
          await other.take(item)
        }
        """),
    Mistake(
      name: "a workflow that runs in async let with an item of the tree",
      wrong: """
        final class I: Interactor {
          func leak() {
            task {
              async let run: Void = Workflow<I>().run(self)
              try await run
            }
          }
        }
        """,
      diagnostic: race,
      right: "final class I: Interactor { func go() { task { try await Workflow<I>().run(self) } } }"),
    Mistake(
      name: "a prepared child that its builder keeps",
      wrong: keeper + """
        final class R: Router<Interactor> {
          func leak(_ keeper: Keeper) {
            attach(preparing: {
              let child = Router(interactor: Interactor())
              await keeper.keep(child)
              return child
            })
          }
        }
        """,
      diagnostic: race,
      right: """
        final class R: Router<Interactor> {
          func prepare() {
            attach(preparing: {
              let child = Router(interactor: Interactor())
              await Task.yield()
              return child
            })
          }
        }
        """),
    Mistake(
      name: "a root that its asynchronous builder keeps",
      wrong: keeper + """
        func leak(_ keeper: Keeper) async {
          _ = await TreeHost { () async in
            let root = Router(interactor: Interactor())
            await keeper.keep(root)
            return root
          }
        }
        """,
      diagnostic: race,
      right: """
        func build() async {
          _ = await TreeHost { () async in
            let root = Router(interactor: Interactor())
            await Task.yield()
            return root
          }
        }
        """),
    Mistake(
      name: "a child of the tree as a prepared child",
      isOfTypes: true,
      wrong: """
        final class R: Router<Interactor> {
          let child = Router(interactor: Interactor())
          func leak() { attach(preparing: { [child] in child }) }
        }
        """,
      diagnostic: "capture of 'child' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure",
      right: """
        final class R: Router<Interactor> {
          func prepare() { attach(preparing: { Router(interactor: Interactor()) }) }
        }
        """),
    Mistake(
      name: "an object of the tree that a closure handed to perform stores outside",
      isOfTypes: true,
      wrong: """
        func leak(_ host: TreeHost<Router<Interactor>>) async throws {
          var stolen: Interactor?
          try await host.perform { root in stolen = root.interactor }
          stolen?.deactivate()
        }
        """,
      diagnostic: "mutation of captured var 'stolen' in concurrently-executing code",
      right: """
        func tell(_ host: TreeHost<Router<Interactor>>) async throws -> String? {
          try await host.perform { root in root.interactor.treeSummary }
        }
        """),
    Mistake(
      name: "an object of the tree in parallel operations",
      isOfTypes: true,
      wrong: """
        final class I: Interactor {
          var total = 0
          func leak() { task { _ = try await inParallel([1]) { number in self.total += number } } }
        }
        """,
      diagnostic: "capture of 'self' with non-Sendable type",
      right: """
        final class I: Interactor {
          var total = 0
          func add() { task { for number in try await inParallel([1], { $0 + 1 }) { self.total += number } } }
        }
        """),
    Mistake(
      name: "the values of a stream of the tree, read elsewhere",
      wrong: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func leak() {
            let values = relay.values
            Task.detached { for await value in values { print(value) } }
          }
        }
        """,
      diagnostic: race,
      right: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func tell() {
            let values = relay.values(boundTo: self)
            Task.detached { for await value in values { print(value) } }
          }
        }
        """),
    Mistake(
      name: "the iterator of a stream of the tree, off the tree",
      wrong: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func leak() {
            task {
              var values = self.relay.values.makeAsyncIterator()
              _ = await values.next()
            }
          }
        }
        """,
      diagnostic: race,
      right: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func read() {
            task {
              var values = self.relay.values.makeAsyncIterator()
              _ = await values.next(isolation: #isolation)
            }
          }
        }
        """),
    Mistake(
      name: "a subscription of the tree, disposed of elsewhere",
      wrong: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func leak() {
            let subscription = relay.subscribe(onNext: { _ in })
            Task.detached { subscription.dispose() }
          }
        }
        """,
      diagnostic: race,
      right: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func end() {
            let subscription = relay.subscribe(onNext: { _ in })
            task { subscription.dispose() }
          }
        }
        """),
    Mistake(
      name: "a list of the tree, updated elsewhere",
      wrong: """
        func leak(_ presenter: PacedPresenter<Int>) { Task.detached { presenter.present(1) } }
        """,
      diagnostic: race,
      right: """
        func show(_ presenter: PacedPresenter<Int>) { presenter.present(1) }
        """),
  ]
}
