// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let directory = "TreeDirectory<Int, Router<Interactor>>"

  /// What may not leave a tree through a directory, or enter it.
  static let directories = [
    Mistake(
      name: "an interactor returned from a call of a directory",
      isOfTypes: true,
      wrong: """
        func leak(_ trees: \(directory)) async throws -> Interactor {
          try await trees.perform(on: 1) { root in root.interactor }
        }
        """,
      diagnostic: "type 'Interactor' does not conform to the 'Sendable' protocol",
      right: """
        func send(_ trees: \(directory)) async throws -> Bool {
          try await trees.perform(on: 1) { root in root.interactor.isActive }
        }
        """),
    Mistake(
      name: "an observable returned from a call of a directory",
      isOfTypes: true,
      wrong: """
        final class I: Interactor { let price = BehaviorRelay(value: 1) }
        func leak(_ trees: TreeDirectory<Int, Router<I>>) async throws -> Observable<Int> {
          try await trees.perform(on: 1) { root in root.interactor.price.asObservable() }
        }
        """,
      diagnostic: "type 'Observable<Int>' does not conform to the 'Sendable' protocol",
      right: """
        final class I: Interactor { let price = BehaviorRelay(value: 1) }
        func send(_ trees: TreeDirectory<Int, Router<I>>) async throws -> Int {
          try await trees.perform(on: 1) { root in root.interactor.price.value }
        }
        """),
    Mistake(
      name: "the handle of a call of a directory, kept outside its tree",
      isOfTypes: true,
      wrong: """
        func leak(_ trees: \(directory)) async throws -> BoundWork.Handle {
          try await trees.perform(on: 1) { root in root.interactor.task {} }
        }
        """,
      diagnostic: "type 'BoundWork.Handle' does not conform to the 'Sendable' protocol",
      right: """
        func start(_ trees: \(directory)) async throws {
          try await trees.perform(on: 1) { root in root.interactor.task {} }
        }
        """),
    Mistake(
      name: "a root kept by the closure of a call of a directory",
      isOfTypes: true,
      wrong: """
        func leak(_ trees: \(directory)) async throws {
          var kept: Router<Interactor>?
          try await trees.perform(on: 1) { root in kept = root }
          print(kept as Any)
        }
        """,
      diagnostic: "mutation of captured var 'kept' in concurrently-executing code",
      right: """
        func send(_ trees: \(directory)) async throws {
          let isActive = try await trees.perform(on: 1) { root in root.interactor.isActive }
          print(isActive)
        }
        """),
    Mistake(
      name: "an object of outside that a call of a directory captures",
      isOfTypes: true,
      wrong: """
        func leak(_ trees: \(directory), _ relay: BehaviorRelay<Int>) async throws {
          try await trees.perform(on: 1) { _ in relay.accept(1) }
        }
        """,
      diagnostic: "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure",
      right: """
        func send(_ trees: \(directory), _ value: Int) async throws -> Int {
          try await trees.perform(on: 1) { _ in value + 1 }
        }
        """),
    Mistake(
      name: "a child built outside that a call of a directory attaches",
      isOfTypes: true,
      wrong: """
        func leak(_ trees: \(directory)) async throws {
          let child = Router(interactor: Interactor())
          try await trees.perform(on: 1) { root in root.attachChild(child) }
        }
        """,
      diagnostic: "capture of 'child' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure",
      right: """
        func build(_ trees: \(directory)) async throws {
          try await trees.perform(on: 1) { root in root.attachChild(Router(interactor: Interactor())) }
        }
        """),
    Mistake(
      name: "one router as the root of all trees of a directory",
      isOfTypes: true,
      wrong: """
        func leak(_ root: Router<Interactor>) -> \(directory) { TreeDirectory { (id: Int) in root } }
        """,
      diagnostic: "capture of 'root' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure",
      right: """
        func build() -> \(directory) { TreeDirectory { (id: Int) in Router(interactor: Interactor()) } }
        """),
    Mistake(
      name: "the root of an opened tree, sent to an actor",
      wrong: """
        actor Other { func take(_ root: Router<Interactor>) {} }
        func leak(_ trees: \(directory), _ other: Other) async throws {
          try await trees.host(for: 1).perform { root in await other.take(root) }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        actor Other { func take(_ isActive: Bool) {} }
        func send(_ trees: \(directory), _ other: Other) async throws {
          try await trees.host(for: 1).perform { root in await other.take(root.interactor.isActive) }
        }
        """),
  ]
}
