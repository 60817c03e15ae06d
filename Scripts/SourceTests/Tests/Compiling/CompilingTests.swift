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

  static let race = "risks causing data races"
  static let mutation = "mutation of captured var 'kept' in concurrently-executing code"
  static let unsendableHandle = "type 'BoundWork.Handle' does not conform to the 'Sendable' protocol"
  static let host = "TreeHost<Router<Interactor>>"
  private static let leaving = "the closure would leave the tree, with all that it captures"

  private static let basic = [
    Mistake(
      "a task that is not bound", "passing closure as a 'sending' parameter risks causing data races",
      """
      final class I: Interactor {
        func show() {}
        override func didBecomeActive() { ‹Task|task› { self.show() } }
      }
      """),
    Mistake(
      "a router sent to another actor", race,
      """
      actor Other { func take(_ ‹router: Router<Interactor>|name: String›) {} }
      final class R: Router<Interactor> {
        func send(_ other: Other) async { await other.take(‹self|"R"›) }
      }
      """),
    Mistake(
      "work on another executor, with objects of the tree", leaving, isOfTypes: true,
      """
      final class I: Interactor {
        var number = 0
        func count() async { number += 1 }
        func start() {
          ‹task { await withTaskExecutorPreference(globalConcurrentExecutor) { await self.count() } }|
          run({ 1 }) { self.number += $0 }›
        }
      }
      """),
    Mistake(
      "the same with self, in an asynchronous method of a worker", leaving, isOfTypes: true,
      """
      final class W: Worker {
        var number = 0
        func count() async {
          ‹await self.withTaskExecutorPreference(nil, isolation: #isolation) { self.number += 1 }|number += 1›
        }
      }
      """),
    Mistake(
      "a task of a router", "cannot find 'task' in scope", isOfTypes: true,
      """
      final class I: Interactor { func reload() { task {} } }
      final class R: Router<I> { override func didLoad() { ‹task {}|interactor.reload()› } }
      """),
    Mistake(
      "work of a presenter", "cannot find 'run' in scope", isOfTypes: true,
      """
      final class P: ‹Presenter<String>|PresentableInteractor<Presenter<String>>, Presentable› {
        func show() { run({ 1 }) { number in print(number) } }
      }
      """),
    Mistake(
      "writing through the reading end", "value of type 'Observable<Int>' has no member 'accept'", isOfTypes: true,
      "func write(_ relay: BehaviorRelay<Int>) { relay.‹asObservable().|›accept(1) }"),
    Mistake(
      "an observable that crosses to another actor", race,
      """
      actor Other { func take(_ ‹stream: Observable<Int>|value: Int›) {} }
      final class I: Interactor {
        let relay = BehaviorRelay(value: 1)
        func send(_ other: Other) { task { await other.take(self.relay.‹asObservable()|value›) } }
      }
      """),
    Mistake(
      "a relay captured by work that leaves the tree",
      "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure", isOfTypes: true,
      """
      final class I: Interactor {
        let relay = BehaviorRelay(value: 1)
        func send() { run({ [‹relay] in relay.value|value = relay.value] in value + 1› }) { self.relay.accept($0) } }
      }
      """),
    Mistake(
      "a task that stores into another actor", race,
      """
      final class Model { var number = 0 }
      actor Other {
        var stored: ‹Model|Int›?
        func store(_ value: ‹Model|Int›) { stored = value }
      }
      final class I: Interactor {
        let model = Model()
        func send(_ other: Other) { task { await other.store(self.model‹|.number›) } }
      }
      """),
    Mistake(
      "a router returned from a host", "does not conform to the 'Sendable' protocol", isOfTypes: true,
      """
      func send(_ host: \(host)) async throws -> ‹Router<Interactor>|Bool› {
        try await host.perform { root in root‹|.interactor.isActive› }
      }
      """),
    Mistake(
      "a tree built outside its host",
      "capture of 'root' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure", isOfTypes: true,
      """
      func build() async {
        ‹let root = Router(interactor: Interactor())
        |›_ = await TreeHost { ‹root|Router(interactor: Interactor())› }
      }
      """),
    Mistake(
      "a host of something that is no router",
      "The root of a tree is a router: return a Router, or any LaunchRouting.", isOfTypes: true,
      """
      struct Unavailable: Error {}
      func load() async throws -> sending Router<Interactor> { Router(interactor: Interactor()) }
      func host() async throws {
        _ = await TreeHost { ‹3|Router(interactor: Interactor())› }
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
  /// - Parameter code: the code, in which `‹wrong|right›` marks each place with a mistake.
  init(_ name: String, _ diagnostic: String, isOfTypes: Bool = false, _ code: String) {
    self.init(
      name: name, isOfTypes: isOfTypes, wrong: code.replacing(#/‹([^|›]*)\|([^›]*)›/#) { $0.1 },
      diagnostic: diagnostic, right: code.replacing(#/‹([^|›]*)\|([^›]*)›/#) { $0.2 })
  }

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

  /// Expects that the compiler refuses the mistake, with its diagnostic, and accepts the same without it.
  func expectDistinguished(
    _ found: (wrong: String, right: String), at place: SourceLocation = #_sourceLocation
  ) {
    #expect(found.wrong.contains("error: "), sourceLocation: place)
    #expect(found.wrong.contains(diagnostic), "\(found.wrong)", sourceLocation: place)
    #expect(found.right == "", sourceLocation: place)
  }
}

@Suite("The compiler")
struct CompilingTests {
  private static let found = Mistake.check(Mistake.all)

  @Test("refuses what would break the isolation of a tree, and accepts what does not", arguments: Mistake.all)
  func mistake(_ mistake: Mistake) throws {
    mistake.expectDistinguished(try #require(CompilingTests.found[mistake.name]))
  }
}
