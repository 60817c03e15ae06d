// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let race = "risks causing data races"

  /// Places where a tree can't be launched, because the compiler would not know the actor that it lives on.
  static let launching = [
    Mistake(
      name: "a tree launched in a nonisolated(nonsending) function",
      isOfTypes: true,
      wrong: "nonisolated(nonsending) func boot(_ tree: Tree) async { tree.launch() }",
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: "func boot(_ tree: Tree, isolation: isolated any Actor = #isolation) { tree.launch() }"),
    Mistake(
      name: "a tree launched in a closure of a nonisolated(nonsending) type",
      isOfTypes: true,
      wrong: """
        func boot() async {
          let body: nonisolated(nonsending) (Tree) async -> Void = { tree in tree.launch() }
          await body(Tree(root: Router(interactor: Interactor())))
        }
        """,
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: """
        func boot() async {
          let body: @MainActor () -> Void = { Tree(root: Router(interactor: Interactor())).launch() }
          await body()
        }
        """),
    Mistake(
      name: "a tree launched in bound work",
      isOfTypes: true,
      wrong: """
        final class I: Interactor {
          func open(_ tree: Tree) { task { tree.launch() } }
        }
        """,
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: """
        actor Home {
          private var tree: Tree?
          func open() {
            tree = Tree(root: Router(interactor: Interactor()))
            tree?.launch()
          }
        }
        """),
    Mistake(
      name: "a tree launched where no actor runs",
      isOfTypes: true,
      wrong: "func boot(_ tree: Tree) { tree.launch() }",
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: "@MainActor func boot(_ tree: Tree) { tree.launch() }"),
    Mistake(
      name: "a tree launched in a closure handed to perform",
      isOfTypes: true,
      wrong: """
        func boot(_ host: TreeHost<Router<Interactor>>) async throws {
          try await host.perform { _ in _ = Tree(root: Router(interactor: Interactor())).launch() }
        }
        """,
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: """
        func boot(_ host: TreeHost<Router<Interactor>>) async throws {
          try await host.perform { root in root.attachChild(Router(interactor: Interactor())) }
        }
        """),
    Mistake(
      name: "a tree launched in an actor's synchronous initializer",
      isOfTypes: true,
      wrong: """
        actor Home {
          private let tree: Tree
          init() {
            tree = Tree(root: Router(interactor: Interactor()))
            tree.launch()
          }
        }
        """,
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: """
        actor Home {
          private let tree: Tree
          init() { tree = Tree(root: Router(interactor: Interactor())) }
          func start() { tree.launch() }
          isolated deinit { tree.end() }
        }
        """),
    Mistake(
      name: "a tree launched in a generic function that is isolated to no actor",
      isOfTypes: true,
      wrong: "nonisolated(nonsending) func boot<Owner>(_ owner: Owner, _ tree: Tree) async { tree.launch() }",
      diagnostic: "actor-isolated instance method 'launch(isolation:)'",
      right: "func boot<Home: Actor>(_ home: isolated Home, _ tree: Tree) { tree.launch() }"),
    Mistake(
      name: "a tree launched on another actor than the one that it is on",
      wrong: """
        nonisolated(nonsending) func boot(_ tree: Tree) async { await tree.launch(isolation: MainActor.shared) }
        """,
      diagnostic: race,
      right: """
        @MainActor func boot(_ tree: Tree) { tree.launch(isolation: MainActor.shared) }
        """),
    Mistake(
      name: "a tree launched on the actor that a nonisolated(nonsending) function has found",
      wrong: """
        nonisolated(nonsending) func boot(_ tree: Tree) async {
          let found: (any Actor)? = #isolation
          guard let found else { return }
          await tree.launch(isolation: found)
        }
        """,
      diagnostic: race,
      right: """
        func boot<Home: Actor>(on home: Home) async { await start(home) }
        func start<Home: Actor>(_ home: isolated Home) { Tree(root: Router(interactor: Interactor())).launch() }
        """),
    Mistake(
      name: "a tree launched in a closure that assumes the isolation of an actor",
      wrong: """
        func boot(_ tree: Tree, _ found: any Actor) {
          found.assumeIsolated { home in _ = tree.launch(isolation: home) }
        }
        """,
      diagnostic: race,
      right: """
        func boot(_ found: any Actor) {
          found.assumeIsolated { home in
            _ = Tree(root: Router(interactor: Interactor())).launch(isolation: home)
          }
        }
        """),
    Mistake(
      name: "a tree launched in a closure that assumes the main actor",
      wrong: """
        func boot() -> sending Tree {
          let tree = Tree(root: Router(interactor: Interactor()))
          MainActor.assumeIsolated { _ = tree.launch() }
          return tree
        }
        """,
      diagnostic: race,
      right: """
        func boot() {
          MainActor.assumeIsolated { _ = Tree(root: Router(interactor: Interactor())).launch() }
        }
        """),
    Mistake(
      name: "a tree launched on an actor that the caller may not have",
      isOfTypes: true,
      wrong: """
        func boot(_ tree: Tree, on home: isolated (any Actor)? = #isolation) {
          if let home { _ = tree.launch(isolation: home) }
        }
        """,
      diagnostic: "call to actor-isolated instance method 'launch(isolation:)'",
      right: """
        func boot(_ tree: Tree, on home: isolated any Actor = #isolation) { _ = tree.launch(isolation: home) }
        """),
  ]

  /// Ways to hand a launched tree, or a part of it, to other code.
  static let sending = [
    Mistake(
      name: "a launched tree as a sending result",
      wrong: """
        @MainActor func make() -> sending Tree {
          let tree = Tree(root: Router(interactor: Interactor()))
          tree.launch()
          return tree
        }
        """,
      diagnostic: race,
      right: "func make() -> sending Tree { Tree(root: Router(interactor: Interactor())) }"),
    Mistake(
      name: "a part of a launched tree as a sending result",
      wrong: """
        @MainActor func make() -> sending Interactor {
          let interactor = Interactor()
          let tree = Tree(root: Router(interactor: interactor))
          tree.launch()
          return interactor
        }
        """,
      diagnostic: race,
      right: """
        @MainActor func make() -> Interactor {
          let interactor = Interactor()
          Tree(root: Router(interactor: interactor)).launch()
          return interactor
        }
        """),
    Mistake(
      name: "a launched tree with what was built with it, sent after a function that launches it",
      wrong: """
        actor Other { func take(_ interactor: sending Interactor) {} }
        func boot(_ tree: Tree, isolation: isolated any Actor = #isolation) { tree.launch() }
        @MainActor func leak(_ other: Other) async {
          let interactor = Interactor()
          boot(Tree(root: Router(interactor: interactor)))
          await other.take(interactor)
        }
        """,
      diagnostic: race,
      right: """
        actor Other { func take(_ interactor: sending Interactor) {} }
        @MainActor func give(_ other: Other) async {
          let interactor = Interactor()
          await other.take(interactor)
        }
        """),
    Mistake(
      name: "a launched tree in async let",
      wrong: """
        @MainActor func leak() async {
          let tree = Tree(root: Router(interactor: Interactor()))
          tree.launch()
          async let nodes = tree.snapshot().nodes.count
          _ = await nodes
        }
        """,
      diagnostic: race,
      right: """
        @MainActor func send() async {
          let tree = Tree(root: Router(interactor: Interactor()))
          tree.launch()
          let snapshot = tree.snapshot()
          async let nodes = snapshot.nodes.count
          _ = await nodes
        }
        """),
    Mistake(
      name: "a launched tree in a task group",
      wrong: """
        @MainActor func leak() async {
          let tree = Tree(root: Router(interactor: Interactor()))
          tree.launch()
          await withTaskGroup(of: Void.self) { group in group.addTask { tree.end() } }
        }
        """,
      diagnostic: race,
      right: """
        @MainActor func send() async {
          let tree = Tree(root: Router(interactor: Interactor()))
          tree.launch()
          let snapshot = tree.snapshot()
          await withTaskGroup(of: Void.self) { group in group.addTask { _ = snapshot.nodes } }
        }
        """),
    Mistake(
      name: "a part of a tree through a key path in detached work",
      wrong: """
        @MainActor func leak(_ router: Router<Interactor>) {
          let path = \\Router<Interactor>.interactor
          let interactor = router[keyPath: path]
          Task.detached { interactor.deactivate() }
        }
        """,
      diagnostic: race,
      right: """
        @MainActor func send(_ router: Router<Interactor>) {
          let path = \\Router<Interactor>.interactor.isActive
          let isActive = router[keyPath: path]
          Task.detached { print(isActive) }
        }
        """),
    Mistake(
      name: "a generic function that sends what it is given",
      wrong: "func pass<Value>(_ value: Value) -> sending Value { value }",
      diagnostic: race,
      right: "func pass<Value>(_ value: sending Value) -> sending Value { value }"),
    Mistake(
      name: "a tree of an actor that its isolated deinit sends away",
      wrong: """
        actor Home {
          private let tree = Tree(root: Router(interactor: Interactor()))
          func start() { tree.launch() }
          isolated deinit { Task.detached { [tree] in tree.end() } }
        }
        """,
      diagnostic: race,
      right: """
        actor Home {
          private let tree = Tree(root: Router(interactor: Interactor()))
          func start() { tree.launch() }
          isolated deinit { tree.end() }
        }
        """),
    Mistake(
      name: "an object of outside that a closure handed to perform captures",
      isOfTypes: true,
      wrong: """
        func leak(_ host: TreeHost<Router<Interactor>>, _ relay: BehaviorRelay<Int>) async throws {
          try await host.perform { _ in relay.accept(1) }
        }
        """,
      diagnostic: "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure",
      right: """
        func send(_ host: TreeHost<Router<Interactor>>, _ value: Int) async throws -> Int {
          try await host.perform { _ in value + 1 }
        }
        """),
  ]
}
