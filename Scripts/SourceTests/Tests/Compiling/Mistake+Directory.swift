// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let directory = "TreeDirectory<Int, Router<Interactor>>"

  /// What may not leave a tree through a directory, or enter it.
  static let directories = [
    Mistake(
      "an interactor returned from a call of a directory",
      "type 'Interactor' does not conform to the 'Sendable' protocol", isOfTypes: true,
      """
      func send(_ trees: \(directory)) async throws -> ‹Interactor|Bool› {
        try await trees.perform(on: 1) { root in root.interactor‹|.isActive› }
      }
      """),
    Mistake(
      "an observable returned from a call of a directory",
      "type 'Observable<Int>' does not conform to the 'Sendable' protocol", isOfTypes: true,
      """
      final class I: Interactor { let price = BehaviorRelay(value: 1) }
      func send(_ trees: TreeDirectory<Int, Router<I>>) async throws -> ‹Observable<Int>|Int› {
        try await trees.perform(on: 1) { root in root.interactor.price.‹asObservable()|value› }
      }
      """),
    Mistake(
      "the handle of a call of a directory, kept outside its tree", unsendableHandle, isOfTypes: true,
      """
      func start(_ trees: \(directory)) async throws ‹-> BoundWork.Handle |›{
        try await trees.perform(on: 1) { root in root.interactor.task {} }
      }
      """),
    Mistake(
      "a root kept by the closure of a call of a directory", mutation, isOfTypes: true,
      """
      func send(_ trees: \(directory)) async throws {
        ‹var kept: Router<Interactor>?
        |let kept = ›try await trees.perform(on: 1) { root in ‹kept = root|root.interactor.isActive› }
        print(kept as Any)
      }
      """),
    Mistake(
      "an object of outside that a call of a directory captures",
      "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure", isOfTypes: true,
      """
      func send(_ trees: \(directory), _ ‹relay: BehaviorRelay<Int>|value: Int›) async throws {
        try await trees.perform(on: 1) { _ in ‹relay.accept(1)|print(value)› }
      }
      """),
    Mistake(
      "a child built outside that a call of a directory attaches",
      "capture of 'child' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure", isOfTypes: true,
      """
      func build(_ trees: \(directory)) async throws {
        ‹let child = Router(interactor: Interactor())
        |›try await trees.perform(on: 1) { root in root.attachChild(‹child|Router(interactor: Interactor())›) }
      }
      """),
    Mistake(
      "one router as the root of all trees of a directory",
      "capture of 'root' with non-Sendable type 'Router<Interactor>' in a '@Sendable' closure", isOfTypes: true,
      """
      func build(_ root: Router<Interactor>) -> \(directory) {
        TreeDirectory { (id: Int) in ‹root|Router(interactor: Interactor())› }
      }
      """),
  ]
}
