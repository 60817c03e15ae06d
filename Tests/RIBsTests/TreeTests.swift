import RIBs
import Testing

@Suite("A tree")
struct TreeTests {
  @Test("builds, runs and ends inside a host, and only values leave it")
  func host() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    #expect(try await host.perform { root in root.interactor.isActive })
    #expect(await host.snapshot().nodes.map(\.state) == [.active])
    #expect(await host.shutdown().stuck.isEmpty)
    await #expect(throws: TreeEnded.self) { try await host.perform { _ in } }
  }

  @Test("that has ended still tells its configuration who wants to attach, as no more than a warning")
  func lateAttach() async throws {
    final class Seen: Sendable { let misuses = Locked<[Misuse]>([]) }
    let seen = Seen()
    let configuration = TreeConfiguration(onMisuse: { misuse in seen.misuses.withLock { $0.append(misuse) } })
    await Stage().run { stage in
      let root = Router(interactor: Interactor())
      let child = Router(interactor: Interactor())
      root.attachChild(child)
      let tree = Tree(root: root, configuration: configuration)
      tree.launch()
      tree.end()
      root.attachChild(Router(interactor: Interactor()))
      child.attachChild(Router(interactor: Interactor()))
      #expect(root.children.count == 1)
      #expect(child.children.isEmpty)
    }
    let misuses = seen.misuses.withLock { $0 }
    #expect(misuses.map(\.kind) == [.treeEnded, .treeEnded])
    #expect(misuses.map(\.severity) == [.warning, .warning])
  }
}
