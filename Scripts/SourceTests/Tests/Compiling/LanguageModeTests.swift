// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// A form that language mode 6 refuses, as the table of the article on isolation lists them.
private struct RefusedForm: Sendable {
  let name: String
  /// Whether the types show it already. The compiler looks for the others only where all types are right.
  var isOfTypes = false
  let code: String

  /// A form in the callback of an interactor.
  private static func form(_ name: String, isOfTypes: Bool = false, _ statement: String) -> RefusedForm {
    RefusedForm(
      name: name, isOfTypes: isOfTypes,
      code: """
        protocol Client: Sendable { func fetch(_ id: Int) async throws -> Int }
        final class I: Interactor {
          var number = 0
          let client: any Client
          init(client: any Client) { self.client = client }
          func show() {}
          func reload() async {}
          override func didBecomeActive() {
            \(statement)
          }
        }
        """)
  }

  static let all = [
    form("a bare task", "Task { self.show() }"),
    form("a bare detached task", "Task.detached { self.show() }"),
    form(
      "a child task of a group",
      "task { await withTaskGroup(of: Void.self) { group in group.addTask { self.show() } } }"),
    form("code on the main actor", "task { await MainActor.run { self.show() } }"),
    form("an operation of run that reads the interactor", isOfTypes: true, "run({ self.number }) { _ in }"),
    form(
      "async let with a method of the interactor",
      """
      task {
        async let done: Void = self.reload()
        await done
      }
      """),
    form(
      "async let with a call of a client",
      """
      task {
        async let ride = self.client.fetch(1)
        _ = try await ride
      }
      """),
    RefusedForm(
      name: "an object captured by perform", isOfTypes: true,
      code: """
        final class Box { var value = 0 }
        static func change(_ host: TreeHost<Router<Interactor>>) async throws {
          let box = Box()
          try await host.perform { _ in box.value += 1 }
        }
        """),
  ]
}

@Suite("The language mode of a target")
struct LanguageModeTests {
  /// The setting with which asynchronous methods run on the actor of their caller.
  private let methods = "NonisolatedNonsendingByDefault"

  private static func found(in mode: Compiler.Mode) throws -> [String: String] {
    let compiler = try #require(Compiler())
    var found: [String: String] = [:]
    for isOfTypes in [false, true] {
      let forms = RefusedForm.all.filter { $0.isOfTypes == isOfTypes }
      for (form, text) in zip(forms, try compiler.check(forms.map(\.code), mode)) { found[form.name] = text }
    }
    return found
  }

  @Test("6 refuses each form that leaves the tree")
  func six() throws {
    for (name, text) in try Self.found(in: Compiler.Mode(features: [methods])) {
      #expect(text.contains("error: "), "\(name): \(text)")
    }
  }

  @Test("5 says nothing of them, with and without the setting for methods", arguments: [true, false])
  func five(isSet: Bool) throws {
    for (name, text) in try Self.found(in: Compiler.Mode(version: 5, features: isSet ? [methods] : [])) {
      #expect(text == "", "\(name)")
    }
  }

  @Test("without the setting refuses an asynchronous method in 6, and says nothing of it in 5")
  func methodsWithoutSetting() throws {
    let code = """
      final class I: Interactor {
        func reload() async {}
        override func didBecomeActive() { task { await self.reload() } }
      }
      """
    let compiler = try #require(Compiler())
    #expect(try compiler.check(code).contains("error: sending 'self' risks causing data races"))
    #expect(try compiler.check(code, Compiler.Mode(version: 5)) == "")
    let strict = try compiler.check(code, Compiler.Mode(version: 5, features: ["StrictConcurrency"]))
    #expect(strict.contains("warning: sending 'self' risks causing data races"))
    #expect(try compiler.check(code, Compiler.Mode(features: [methods])) == "")
  }

  @Test("does not matter for another executor: each refuses it", arguments: [[], ["StrictConcurrency"]])
  func executor(features: [String]) throws {
    let code = """
      final class I: Interactor {
        func reload() async {}
        override func didBecomeActive() {
          task { await self.withTaskExecutorPreference(globalConcurrentExecutor) { await self.reload() } }
        }
      }
      """
    let text = try #require(Compiler()).check(code, Compiler.Mode(version: 5, features: features))
    #expect(text.contains("error: 'withTaskExecutorPreference(_:isolation:operation:)' is unavailable"))
  }

  @Test("5 with StrictConcurrency warns of each")
  func strict() throws {
    for (name, text) in try Self.found(in: Compiler.Mode(version: 5, features: [methods, "StrictConcurrency"])) {
      #expect(text.contains("warning: ") && !text.contains("error: "), "\(name): \(text)")
    }
  }

  @Test("5 warns of an object that perform returns")
  func returned() throws {
    let code = """
      func leak(_ host: TreeHost<Router<Interactor>>) async throws { _ = try await host.perform { $0.interactor } }
      """
    let text = try #require(Compiler()).check(code, Compiler.Mode(version: 5))
    #expect(text.contains("warning: type 'Interactor' does not conform to the 'Sendable' protocol"))
    #expect(!text.contains("error: "))
  }
}
