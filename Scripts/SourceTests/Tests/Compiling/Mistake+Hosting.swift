// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  /// What may not leave a tree through its host, or enter it.
  static let hosting = [
    Mistake(
      "an interactor returned from an asynchronous call", "'Sendable'", isOfTypes: true,
      """
      func send(_ host: \(host)) async throws -> ‹Interactor|Bool› {
        try await host.perform { root in
          await Task.yield()
          return root.interactor‹|.isActive›
        }
      }
      """),
    Mistake(
      "an interactor returned from a call within a RIB", "'Sendable'", isOfTypes: true,
      """
      func send(_ host: \(host)) async throws -> ‹Interactor|Bool› {
        try await host.perform(within: { root in root.interactor }) { interactor in
          await Task.yield()
          return interactor‹|.isActive›
        }
      }
      """),
    Mistake(
      "values of a tree that are objects of it", "'Sendable'", isOfTypes: true,
      """
      final class Model { var number = 0 }
      final class I: Interactor { let model = BehaviorRelay(value: Model()) }
      func send(_ host: TreeHost<Router<I>>) async {
        for await value in host.values({ root in root.interactor.model‹|.asObservable().map { $0.number }› }) {
          print(value)
        }
      }
      """),
    Mistake(
      "a sequence of objects as the values of a tree", "'Sendable'", isOfTypes: true,
      """
      final class Model { var number = 0 }
      func read(_ values: Tree.Values<‹Model|Int›>) async {
        await Task.detached { for await value in values { print(value) } }.value
      }
      """),
    Mistake(
      "a root kept by the closure of a call", mutation, isOfTypes: true,
      """
      func send(_ host: \(host)) async throws {
        ‹var kept: Router<Interactor>?
        |let kept = ›try await host.perform { root in ‹kept = root|root.interactor.isActive› }
        print(kept as Any)
      }
      """),
    Mistake(
      "a root kept by the closure of an asynchronous call", mutation, isOfTypes: true,
      """
      func send(_ host: \(host)) async throws {
        ‹var kept: Router<Interactor>?
        |let kept = ›try await host.perform { root in
          await Task.yield()
          ‹kept = root|return root.interactor.isActive›
        }
        print(kept as Any)
      }
      """),
    Mistake(
      "an interactor kept by the closure that finds a scope", mutation, isOfTypes: true,
      """
      func send(_ host: \(host)) async throws {
        ‹var kept: Interactor?
        |›try await host.perform(within: { root in
          ‹kept = root.interactor
          |›return root.interactor
        }) { _ in await Task.yield() }‹
        print(kept as Any)|›
      }
      """),
    Mistake(
      "an interactor kept by the closure that finds values", mutation, isOfTypes: true,
      """
      final class I: Interactor { let price = BehaviorRelay(value: 0) }
      func send(_ host: TreeHost<Router<I>>) async {
        ‹var kept: I?
        |›for await _ in host.values({ root in
          ‹kept = root.interactor
          |›return root.interactor.price
        }) {}‹
        print(kept as Any)|›
      }
      """),
    Mistake(
      "a root sent to an actor by an asynchronous call", race,
      """
      actor Other { func take(_ ‹root: Router<Interactor>|isActive: Bool›) {} }
      func send(_ host: \(host), _ other: Other) async throws {
        try await host.perform { root in await other.take(root‹|.interactor.isActive›) }
      }
      """),
    Mistake(
      "an interactor in a detached task of a call within it", race,
      """
      func send(_ host: \(host)) async throws {
        try await host.perform(within: { root in root.interactor }) { interactor in
          await Task.yield()
          ‹|let isActive = interactor.isActive
          ›Task.detached { print(‹interactor.|›isActive) }
        }
      }
      """),
    Mistake(
      "a handle kept outside its tree", unsendableHandle, isOfTypes: true,
      """
      func send(_ host: \(host)) async throws -> BoundWork.‹Handle|Start› {
        try await host.perform { root in root.interactor.task {}‹|.start› }
      }
      """),
    Mistake(
      "a handle stored by an actor", race,
      """
      actor Other {
        var handle: BoundWork.Handle?
        func keep(_ handle: BoundWork.Handle) { self.handle = handle }
      }
      final class I: Interactor {
        var handle: BoundWork.Handle?
        func keep(_ other: Other) { task { ‹await other.keep(self.task {})|self.handle = self.task {}› } }
      }
      """),
    Mistake(
      "a handle cancelled in a detached task", race,
      """
      final class I: Interactor {
        func cancel() {
          let handle = task {}
          ‹Task.detached|task› { handle.cancel() }
        }
      }
      """),
    Mistake(
      "an object of outside that an asynchronous call captures",
      "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure", isOfTypes: true,
      """
      func send(_ host: \(host), _ ‹relay: BehaviorRelay<Int>|value: Int›) async throws {
        try await host.perform { _ in
          await Task.yield()
          ‹relay.accept(1)|print(value)›
        }
      }
      """),
    Mistake(
      "an object of outside that the closure of values captures",
      "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure", isOfTypes: true,
      """
      func send(_ host: \(host), _ ‹relay: BehaviorRelay<Int>|value: Int›) async {
        for await value in host.values({ _ in ‹relay|BehaviorRelay(value: value)› }) { print(value) }
      }
      """),
    Mistake(
      "an object of outside that the handler of an end captures",
      "capture of 'relay' with non-Sendable type 'BehaviorRelay<String>' in a '@Sendable' closure", isOfTypes: true,
      """
      func log(_ host: \(host), _ relay: BehaviorRelay<String>) {
        host.onEnd { reason in ‹relay.accept("\\(reason)")|print(reason)› }
      }
      """),
  ]
}
