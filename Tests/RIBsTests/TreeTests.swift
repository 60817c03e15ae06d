// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A tree")
struct TreeTests {
  @Test("builds, runs and ends inside a host, and only values leave it")
  func host() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    #expect(try await host.perform { root in root.interactor.isActive })
    #expect(await host.snapshot().nodes.map(\.state) == [.active])
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
    await #expect(throws: TreeEnded.self) { try await host.perform { _ in } }
  }

  @Test("that has ended still reports an attempt to attach to its configuration, as a warning only")
  func lateAttach() {
    let test = TestTree(recording: [])
    let (root, child) = (Router(interactor: Interactor()), Router(interactor: Interactor()))
    root.attachChild(child)
    test.launch(root)
    test.tree?.end()
    root.attachChild(Router(interactor: Interactor()))
    child.attachChild(Router(interactor: Interactor()))
    #expect(root.children.count == 1)
    #expect(child.children.isEmpty)
    let misuses = test.takeMisuses()
    #expect(misuses.map(\.kind) == [.treeEnded, .treeEnded])
    #expect(misuses.map(\.severity) == [.warning, .warning])
    test.finish()
  }
}
