// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// A mistake, what the compiler has to say about it, and the same without the mistake.
struct Mistake: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether the types show it already. The compiler looks for the others only where all types are right.
  var isOfTypes = false
  let wrong: String
  let diagnostic: String
  let right: String

  var testDescription: String { name }

  static let all = basic + launching + sending + crossing + hosting + directories

  private static let basic = [
    Mistake(
      name: "a task that is not bound",
      wrong: """
        final class I: Interactor {
          func show() {}
          override func didBecomeActive() { Task { self.show() } }
        }
        """,
      diagnostic: "passing closure as a 'sending' parameter risks causing data races",
      right: """
        final class I: Interactor {
          func show() {}
          override func didBecomeActive() { task { self.show() } }
        }
        """),
    Mistake(
      name: "a router sent to another actor",
      wrong: """
        actor Other { func take(_ router: Router<Interactor>) {} }
        final class R: Router<Interactor> {
          func leak(_ other: Other) async { await other.take(self) }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        actor Other { func take(_ name: String) {} }
        final class R: Router<Interactor> {
          func send(_ other: Other) async { await other.take("R") }
        }
        """),
    Mistake(
      name: "work on another executor, with objects of the tree",
      isOfTypes: true,
      wrong: """
        final class I: Interactor {
          var number = 0
          func count() async { number += 1 }
          func start() { task { await withTaskExecutorPreference(globalConcurrentExecutor) { await self.count() } } }
        }
        """,
      diagnostic: "the closure would leave the tree, with all that it captures",
      right: """
        final class I: Interactor {
          var number = 0
          func start() { run({ 1 }) { self.number += $0 } }
        }
        """),
    Mistake(
      name: "the same with self, in an asynchronous method of a worker",
      isOfTypes: true,
      wrong: """
        final class W: Worker {
          var number = 0
          func count() async {
            await self.withTaskExecutorPreference(nil, isolation: #isolation) { self.number += 1 }
          }
        }
        """,
      diagnostic: "the closure would leave the tree, with all that it captures",
      right: """
        final class W: Worker {
          var number = 0
          func count() async { number += 1 }
        }
        """),
    Mistake(
      name: "a task of a router",
      isOfTypes: true,
      wrong: """
        final class R: Router<Interactor> {
          func reload() async throws {}
          override func didLoad() { task { try await self.reload() } }
        }
        """,
      diagnostic: "cannot find 'task' in scope",
      right: """
        final class I: Interactor {
          func reload() { task { try await Task.sleep(for: .seconds(1)) } }
        }
        final class R: Router<I> {
          override func didLoad() { interactor.reload() }
        }
        """),
    Mistake(
      name: "work of a presenter",
      isOfTypes: true,
      wrong: """
        final class P: Presenter<String> {
          func show() { run({ 1 }) { number in print(number) } }
        }
        """,
      diagnostic: "cannot find 'run' in scope",
      right: """
        final class I: PresentableInteractor<Presenter<String>>, Presentable {
          func show() { run({ 1 }) { number in print(number) } }
        }
        """),
    Mistake(
      name: "writing through the reading end",
      isOfTypes: true,
      wrong: """
        func write(_ relay: BehaviorRelay<Int>) { relay.asObservable().accept(1) }
        """,
      diagnostic: "value of type 'Observable<Int>' has no member 'accept'",
      right: """
        func write(_ relay: BehaviorRelay<Int>) { relay.accept(1) }
        """),
    Mistake(
      name: "an observable that crosses to another actor",
      wrong: """
        actor Other { func take(_ stream: Observable<Int>) {} }
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func leak(_ other: Other) { task { await other.take(self.relay.asObservable()) } }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        actor Other { func take(_ value: Int) {} }
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func send(_ other: Other) { task { await other.take(self.relay.value) } }
        }
        """),
    Mistake(
      name: "a relay captured by work that leaves the tree",
      isOfTypes: true,
      wrong: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func leak() { run({ [relay] in relay.value }) { _ in } }
        }
        """,
      diagnostic: "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure",
      right: """
        final class I: Interactor {
          let relay = BehaviorRelay(value: 1)
          func send() { run({ [value = relay.value] in value + 1 }) { self.relay.accept($0) } }
        }
        """),
    Mistake(
      name: "a task that stores into another actor",
      wrong: """
        final class Model { var number = 0 }
        actor Other {
          var model: Model?
          func store(_ model: Model) { self.model = model }
        }
        final class I: Interactor {
          let model = Model()
          func leak(_ other: Other) { task { await other.store(self.model) } }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        final class Model { var number = 0 }
        actor Other {
          var number = 0
          func store(_ number: Int) { self.number = number }
        }
        final class I: Interactor {
          let model = Model()
          func send(_ other: Other) { task { await other.store(self.model.number) } }
        }
        """),
    Mistake(
      name: "a router returned from a host",
      isOfTypes: true,
      wrong: """
        func leak(_ host: TreeHost<Router<Interactor>>) async throws -> Router<Interactor> {
          try await host.perform { root in root }
        }
        """,
      diagnostic: "does not conform to the 'Sendable' protocol",
      right: """
        func send(_ host: TreeHost<Router<Interactor>>) async throws -> Bool {
          try await host.perform { root in root.interactor.isActive }
        }
        """),
    Mistake(
      name: "a tree built outside its host",
      isOfTypes: true,
      wrong: """
        func leak() async {
          let root = Router(interactor: Interactor())
          _ = await TreeHost { root }
        }
        """,
      diagnostic: "capture of 'root' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure",
      right: """
        func build() async { _ = await TreeHost { Router(interactor: Interactor()) } }
        """),
    Mistake(
      name: "a host of something that is no router",
      isOfTypes: true,
      wrong: "func host() async { _ = await TreeHost { 3 } }",
      diagnostic: "The root of a tree is a router: return a Router, or any LaunchRouting.",
      right: """
        struct Unavailable: Error {}
        func load() async throws -> sending Router<Interactor> { Router(interactor: Interactor()) }
        func host() async throws {
          _ = await TreeHost { Router(interactor: Interactor()) }
          _ = try await TreeHost { () throws in
            guard Bool.random() else { throw Unavailable() }
            return Router(interactor: Interactor())
          }
          _ = try await TreeHost { try await load() }
        }
        """),
  ]
}

extension Mistake {
  /// What the compiler says of each mistake, and of the same without it. Few calls of the compiler take the time of few
  /// snippets.
  static func check(_ all: [Mistake], beside declarations: String = "") -> [String: (wrong: String, right: String)] {
    var found: [String: (wrong: String, right: String)] = [:]
    for isOfTypes in [false, true] {
      let mistakes = all.filter { $0.isOfTypes == isOfTypes }
      guard let compiler = Compiler(),
        let wrong = try? compiler.check(mistakes.map(\.wrong), beside: declarations),
        let right = try? compiler.check(mistakes.map(\.right), beside: declarations)
      else { continue }
      for (index, mistake) in mistakes.enumerated() { found[mistake.name] = (wrong[index], right[index]) }
    }
    return found
  }
}

@Suite("The compiler", .enabled(if: Compiler.isWanted && Compiler() != nil))
struct CompilingTests {
  private static let found = Mistake.check(Mistake.all)

  @Test("refuses what would break the isolation of a tree, and accepts what does not", arguments: Mistake.all)
  func mistake(_ mistake: Mistake) throws {
    let found = try #require(CompilingTests.found[mistake.name])
    #expect(found.wrong.contains("error: "))
    #expect(found.wrong.contains(mistake.diagnostic), "\(found.wrong)")
    #expect(found.right == "")
  }
}
