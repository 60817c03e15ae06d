// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport

/// Code that occupies a tree in one of its turns.
struct Occupation: Sendable {
  enum Place: CaseIterable, Sendable { case building, launch, call, step, laterStep, result, resignation }

  let place: Place
  /// Called once, on the tree.
  let body: @Sendable () -> Void
  private let journal = Journal()
  private let gate = Gate()

  init(_ place: Place, _ body: @escaping @Sendable () -> Void) {
    self.place = place
    self.body = body
  }

  private func occupy() {
    journal.write("called")
    body()
  }

  /// A host of a root with one child, which is occupied now if that is where it is built or launched.
  func makeHost(_ configuration: TreeConfiguration) async -> TreeHost<Scripted.RootRouter> {
    await TreeHost(configuration: configuration) { [self] in
      if place == .building { occupy() }
      let root = Scripted.RootRouter()
      let child = Scripted.ChildRouter()
      if place == .launch { child.interactor.onActive = { _ in occupy() } }
      if place == .resignation { child.interactor.onResign = { _ in occupy() } }
      root.attachChild(child)
      return root
    }
  }

  /// Occupies the tree with a call or with work of the child, and returns when it is occupied.
  ///
  /// - Returns: the line of the code that does so; nil if that is where the tree is launched or ends.
  func begin(in host: TreeHost<Scripted.RootRouter>) async throws -> Int? {
    // Turns that block have a thread of their own.
    let executor = OwnThread()
    let line: Int
    switch place {
    case .building, .launch, .resignation: return nil
    case .call:
      line = #line + 1
      Task(executorPreference: executor) { try await host.perform { _ in occupy() } }
    case .step:
      line = #line + 2
      Task(executorPreference: executor) {
        try await host.perform { root in _ = root.onlyChild?.interactor.task { occupy() } }
      }
    case .laterStep:
      line = #line + 2
      try await host.perform { root in
        _ = root.onlyChild?.interactor.task("upload", overlap: .concurrent) {
          journal.write("begun")
          await gate.pass()
          occupy()
        }
      }
      await journal.wait(for: "begun")
      // The tree takes a call only after the first step has returned, which waits for the gate.
      try await host.perform { _ in }
      gate.open()
    case .result:
      line = #line + 2
      Task(executorPreference: executor) {
        try await host.perform { root in _ = root.onlyChild?.interactor.run({ 1 }) { _ in occupy() } }
      }
    }
    await journal.wait(for: "called")
    return line
  }
}
