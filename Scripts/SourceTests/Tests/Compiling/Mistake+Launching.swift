// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let unknownActor = "actor-isolated instance method 'launch(isolation:)'"

  /// Places where a tree can't be launched, because the compiler would not know the actor that it lives on.
  static let launching = [
    Mistake(
      "a tree launched in a nonisolated(nonsending) function", unknownActor, isOfTypes: true,
      """
      ‹nonisolated(nonsending) func boot(_ tree: Tree) async|
      func boot(_ tree: Tree, isolation: isolated any Actor = #isolation)› { tree.launch() }
      """),
    Mistake(
      "a tree launched in a closure of a nonisolated(nonsending) type", unknownActor, isOfTypes: true,
      """
      func boot() async {
        let body: ‹nonisolated(nonsending) (Tree) async|@MainActor (Tree)› -> Void = { tree in tree.launch() }
        await body(Tree(root: Router(interactor: Interactor())))
      }
      """),
    Mistake(
      "a tree launched in bound work", unknownActor, isOfTypes: true,
      """
      ‹final class Home: Interactor|actor Home› {
        func open(_ tree: sending Tree) { ‹task { tree.launch() }|tree.launch()› }
      }
      """),
    Mistake(
      "a tree launched where no actor runs", unknownActor, isOfTypes: true,
      "‹|@MainActor ›func boot(_ tree: Tree) { tree.launch() }"),
    Mistake(
      "a tree launched in a closure handed to perform", unknownActor, isOfTypes: true,
      """
      func boot(_ host: \(host)) async throws {
        try await host.perform { ‹_ in _ = Tree(root: Router(interactor: Interactor())).launch()|
          root in root.attachChild(Router(interactor: Interactor()))› }
      }
      """),
    Mistake(
      "a tree launched in an actor's synchronous initializer", unknownActor, isOfTypes: true,
      """
      actor Home {
        private let tree = Tree(root: Router(interactor: Interactor()))
        ‹init()|func start()› { tree.launch() }
        isolated deinit { tree.end() }
      }
      """),
    Mistake(
      "a tree launched on another actor than the one that it is on", race,
      """
      ‹nonisolated(nonsending) func boot(_ tree: Tree) async { await|@MainActor func boot(_ tree: Tree) {›
        tree.launch(isolation: MainActor.shared)
      }
      """),
    Mistake(
      "a tree launched on the actor that a nonisolated(nonsending) function has found", race,
      """
      ‹nonisolated(nonsending) func boot(_ tree: Tree) async {
        let found: (any Actor)? = #isolation
        guard let found else { return }
        await tree.launch(isolation: found)
      }|func boot<Home: Actor>(on home: Home) async { await start(home) }
      func start<Home: Actor>(_ home: isolated Home) { Tree(root: Router(interactor: Interactor())).launch() }›
      """),
    Mistake(
      "a tree launched in a closure that assumes the isolation of an actor", race,
      """
      func boot(‹_ tree: Tree, |›_ found: any Actor) {
        found.assumeIsolated { home in
          _ = ‹tree|Tree(root: Router(interactor: Interactor()))›.launch(isolation: home)
        }
      }
      """),
    Mistake(
      "a tree launched in a closure that assumes the main actor", race,
      """
      func boot() ‹-> sending Tree |›{
        ‹let tree = Tree(root: Router(interactor: Interactor()))
        |›MainActor.assumeIsolated { _ = ‹tree|Tree(root: Router(interactor: Interactor()))›.launch() }‹
        return tree|›
      }
      """),
    Mistake(
      "a tree launched on an actor that the caller may not have",
      "call to actor-isolated instance method 'launch(isolation:)'", isOfTypes: true,
      """
      func boot(_ tree: Tree, on home: isolated ‹(any Actor)?|any Actor› = #isolation) {
        ‹if let home { |›_ = tree.launch(isolation: home)‹ }|›
      }
      """),
  ]

  /// Ways to hand a launched tree, or a part of it, to other code.
  static let sending = [
    Mistake(
      "a launched tree as a sending result", race,
      """
      ‹@MainActor |›func make() -> sending Tree {
        let tree = Tree(root: Router(interactor: Interactor()))
        ‹tree.launch()
        |›return tree
      }
      """),
    Mistake(
      "a part of a launched tree as a sending result", race,
      """
      @MainActor func make() -> ‹sending |›Interactor {
        let interactor = Interactor()
        Tree(root: Router(interactor: interactor)).launch()
        return interactor
      }
      """),
    Mistake(
      "a launched tree with what was built with it, sent after a function that launches it", race,
      """
      actor Other { func take(_ interactor: sending Interactor) {} }
      func boot(_ tree: Tree, isolation: isolated any Actor = #isolation) { tree.launch() }
      @MainActor func give(_ other: Other) async {
        let interactor = Interactor()
        ‹boot(Tree(root: Router(interactor: interactor)))
        |›await other.take(interactor)
      }
      """),
    Mistake(
      "a launched tree in async let", race,
      """
      @MainActor func send() async {
        let tree = Tree(root: Router(interactor: Interactor()))
        tree.launch()
        ‹|let snapshot = tree.snapshot()
        ›async let nodes = ‹tree.snapshot()|snapshot›.nodes.count
        _ = await nodes
      }
      """),
    Mistake(
      "a launched tree in a task group", race,
      """
      @MainActor func send() async {
        let tree = Tree(root: Router(interactor: Interactor()))
        tree.launch()
        let snapshot = tree.snapshot()
        await withTaskGroup(of: Void.self) { group in group.addTask { ‹tree.end()|_ = snapshot.nodes› } }
        print(snapshot)
      }
      """),
    Mistake(
      "a part of a tree through a key path in detached work", race,
      """
      @MainActor func send(_ router: Router<Interactor>) {
        let path = \\Router<Interactor>.interactor‹|.isActive›
        let part = router[keyPath: path]
        Task.detached { print(part) }
      }
      """),
    Mistake(
      "a generic function that sends what it is given", race,
      "func pass<Value>(_ value: ‹|sending ›Value) -> sending Value { value }"),
    Mistake(
      "a tree of an actor that its isolated deinit sends away", race,
      """
      actor Home {
        private let tree = Tree(root: Router(interactor: Interactor()))
        func start() { tree.launch() }
        isolated deinit { ‹Task.detached { [tree] in tree.end() }|tree.end()› }
      }
      """),
    Mistake(
      "an object of outside that a closure handed to perform captures",
      "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure", isOfTypes: true,
      """
      func send(_ host: \(host), _ ‹relay: BehaviorRelay<Int>|value: Int›) async throws {
        try await host.perform { _ in ‹relay.accept(1)|print(value)› }
      }
      """),
  ]
}
