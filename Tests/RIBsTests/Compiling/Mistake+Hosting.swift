// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Mistake {
  private static let host = "TreeHost<Router<Interactor>>"

  /// What may not leave a tree through its host, or enter it.
  static let hosting = [
    Mistake(
      name: "an interactor returned from an asynchronous call",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host)) async throws -> Interactor {
          try await host.perform { root in
            await Task.yield()
            return root.interactor
          }
        }
        """,
      diagnostic: "'Sendable'",
      right: """
        func send(_ host: \(host)) async throws -> Bool {
          try await host.perform { root in
            await Task.yield()
            return root.interactor.isActive
          }
        }
        """),
    Mistake(
      name: "an interactor returned from a call within a RIB",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host)) async throws -> Interactor {
          try await host.perform(within: { root in root.interactor }) { interactor in
            await Task.yield()
            return interactor
          }
        }
        """,
      diagnostic: "'Sendable'",
      right: """
        func send(_ host: \(host)) async throws -> Bool {
          try await host.perform(within: { root in root.interactor }) { interactor in
            await Task.yield()
            return interactor.isActive
          }
        }
        """),
    Mistake(
      name: "values of a tree that are objects of it",
      isOfTypes: true,
      wrong: """
        final class Model { var number = 0 }
        final class I: Interactor { let model = BehaviorRelay(value: Model()) }
        func leak(_ host: TreeHost<Router<I>>) async {
          for await model in host.values({ root in root.interactor.model }) { print(model) }
        }
        """,
      diagnostic: "'Sendable'",
      right: """
        final class Model { var number = 0 }
        final class I: Interactor { let model = BehaviorRelay(value: Model()) }
        func send(_ host: TreeHost<Router<I>>) async {
          for await number in host.values({ root in root.interactor.model.asObservable().map { $0.number } }) {
            print(number)
          }
        }
        """),
    Mistake(
      name: "a sequence of objects as the values of a tree",
      isOfTypes: true,
      wrong: """
        final class Model { var number = 0 }
        func read(_ values: Tree.Values<Model>) async { for await model in values { print(model) } }
        """,
      diagnostic: "'Sendable'",
      right: """
        func read(_ values: Tree.Values<Int>) async {
          await Task.detached { for await number in values { print(number) } }.value
        }
        """),
    Mistake(
      name: "a root kept by the closure of a call",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host)) async throws {
          var kept: Router<Interactor>?
          try await host.perform { root in kept = root }
          print(kept as Any)
        }
        """,
      diagnostic: "mutation of captured var 'kept' in concurrently-executing code",
      right: """
        func send(_ host: \(host)) async throws {
          let isActive = try await host.perform { root in root.interactor.isActive }
          print(isActive)
        }
        """),
    Mistake(
      name: "a root kept by the closure of an asynchronous call",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host)) async throws {
          var kept: Router<Interactor>?
          try await host.perform { root in
            await Task.yield()
            kept = root
          }
          print(kept as Any)
        }
        """,
      diagnostic: "mutation of captured var 'kept' in concurrently-executing code",
      right: """
        func send(_ host: \(host)) async throws {
          let isActive = try await host.perform { root in
            await Task.yield()
            return root.interactor.isActive
          }
          print(isActive)
        }
        """),
    Mistake(
      name: "an interactor kept by the closure that finds a scope",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host)) async throws {
          var kept: Interactor?
          try await host.perform(within: { root in
            kept = root.interactor
            return root.interactor
          }) { _ in await Task.yield() }
          print(kept as Any)
        }
        """,
      diagnostic: "mutation of captured var 'kept' in concurrently-executing code",
      right: """
        func send(_ host: \(host)) async throws {
          try await host.perform(within: { root in root.interactor }) { _ in await Task.yield() }
        }
        """),
    Mistake(
      name: "an interactor kept by the closure that finds values",
      isOfTypes: true,
      wrong: """
        final class I: Interactor { let price = BehaviorRelay(value: 0) }
        func leak(_ host: TreeHost<Router<I>>) async {
          var kept: I?
          for await _ in host.values({ root in
            kept = root.interactor
            return root.interactor.price
          }) {}
          print(kept as Any)
        }
        """,
      diagnostic: "mutation of captured var 'kept' in concurrently-executing code",
      right: """
        final class I: Interactor { let price = BehaviorRelay(value: 0) }
        func send(_ host: TreeHost<Router<I>>) async {
          for await price in host.values({ root in root.interactor.price }) { print(price) }
        }
        """),
    Mistake(
      name: "a root sent to an actor by an asynchronous call",
      wrong: """
        actor Other { func take(_ root: Router<Interactor>) {} }
        func leak(_ host: \(host), _ other: Other) async throws {
          try await host.perform { root in await other.take(root) }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        actor Other { func take(_ isActive: Bool) {} }
        func send(_ host: \(host), _ other: Other) async throws {
          try await host.perform { root in await other.take(root.interactor.isActive) }
        }
        """),
    Mistake(
      name: "an interactor in a detached task of a call within it",
      wrong: """
        func leak(_ host: \(host)) async throws {
          try await host.perform(within: { root in root.interactor }) { interactor in
            await Task.yield()
            Task.detached { print(interactor.isActive) }
          }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        func send(_ host: \(host)) async throws {
          try await host.perform(within: { root in root.interactor }) { interactor in
            await Task.yield()
            let isActive = interactor.isActive
            Task.detached { print(isActive) }
          }
        }
        """),
    Mistake(
      name: "a handle kept outside its tree",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host)) async throws -> BoundWork.Handle {
          try await host.perform { root in root.interactor.task {} }
        }
        """,
      diagnostic: "type 'BoundWork.Handle' does not conform to the 'Sendable' protocol",
      right: """
        func send(_ host: \(host)) async throws -> BoundWork.Start {
          try await host.perform { root in root.interactor.task {}.start }
        }
        """),
    Mistake(
      name: "a handle stored by an actor",
      wrong: """
        actor Other {
          var handle: BoundWork.Handle?
          func keep(_ handle: BoundWork.Handle) { self.handle = handle }
        }
        final class I: Interactor {
          func leak(_ other: Other) { task { await other.keep(self.task {}) } }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        final class I: Interactor {
          var handle: BoundWork.Handle?
          func keep() { task { self.handle = self.task {} } }
        }
        """),
    Mistake(
      name: "a handle cancelled in a detached task",
      wrong: """
        final class I: Interactor {
          func leak() {
            let handle = task {}
            Task.detached { handle.cancel() }
          }
        }
        """,
      diagnostic: "risks causing data races",
      right: """
        final class I: Interactor {
          func cancel() {
            let handle = task {}
            task { handle.cancel() }
          }
        }
        """),
    Mistake(
      name: "an object of outside that an asynchronous call captures",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host), _ relay: BehaviorRelay<Int>) async throws {
          try await host.perform { _ in
            await Task.yield()
            relay.accept(1)
          }
        }
        """,
      diagnostic: "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure",
      right: """
        func send(_ host: \(host), _ value: Int) async throws -> Int {
          try await host.perform { _ in
            await Task.yield()
            return value + 1
          }
        }
        """),
    Mistake(
      name: "an object of outside that the closure of values captures",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host), _ relay: BehaviorRelay<Int>) async {
          for await value in host.values({ _ in relay }) { print(value) }
        }
        """,
      diagnostic: "capture of 'relay' with non-Sendable type 'BehaviorRelay<Int>' in a '@Sendable' closure",
      right: """
        func send(_ host: \(host), _ value: Int) async {
          for await value in host.values({ _ in BehaviorRelay(value: value) }) { print(value) }
        }
        """),
    Mistake(
      name: "an object of outside that the handler of an end captures",
      isOfTypes: true,
      wrong: """
        func leak(_ host: \(host), _ relay: BehaviorRelay<String>) {
          host.onEnd { reason in relay.accept("\\(reason)") }
        }
        """,
      diagnostic: "capture of 'relay' with non-Sendable type 'BehaviorRelay<String>' in a '@Sendable' closure",
      right: """
        func log(_ host: \(host)) { host.onEnd { reason in print(reason) } }
        """),
  ]
}
