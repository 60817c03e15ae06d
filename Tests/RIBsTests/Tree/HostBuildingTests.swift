import TestSupport
import RIBs
import Testing

@Suite("A host whose builder throws, awaits, or is refused")
struct HostBuildingTests {
  @Test("throws its builder's error, and reports it nowhere else", arguments: [false, true])
  func throwing(isAsync: Bool) async {
    await #expect(throws: Failure.self) {
      if isAsync {
        _ = try await TreeHost { () async throws -> sending Scripted.RootRouter in
          await Task.yield()
          throw Failure()
        }
      } else {
        _ = try await TreeHost { () throws -> Scripted.RootRouter in throw Failure() }
      }
    }
  }

  @Test("launches what its builder has awaited")
  func awaiting() async throws {
    let host = await TreeHost { () async -> sending Scripted.RootRouter in
      await Task.yield()
      return Scripted.RootRouter()
    }
    #expect(try await host.perform { root in root.interactor.isActive })
    await host.shutdown()
  }

  @TaskLocal private static var isBuilding = false

  @Test("releases the root on the tree, and not in the task that has built it, if the tree ends during its launch")
  func releasedOnTree() async {
    let journal = Journal()
    let count = 500
    for _ in 0..<count {
      let configuration = TreeConfiguration(leakDetection: .off)
      let host = await Self.$isBuilding.withValue(true) {
        await TreeHost(configuration: configuration) { () async -> sending Scripted.RootRouter in
          let root = Scripted.RootRouter()
          root.interactor.onActive = { $0.endTree() }
          root.interactor.onDeinit = { journal.write(Self.isBuilding ? "by the builder" : "on the tree") }
          return root
        }
      }
      _ = await host.ended
    }
    while journal.lines.count < count { await Task.yield() }
    #expect(journal.lines.allSatisfy { $0 == "on the tree" })
  }

  @Test("throws the misuse of a refused launch at each call")
  func refused() async {
    let journal = Journal()
    let host = await TreeHost(configuration: journal.configuration) {
      let root = Scripted.RootRouter()
      root.interactor.activate()
      return root
    }
    for _ in 1...2 {
      do {
        try await host.perform { _ in }
        Issue.record("A tree was launched whose root is in use.")
      } catch {
        #expect((error as? Misuse)?.kind == .alreadyLaunched)
      }
    }
    #expect(journal.lines == ["error alreadyLaunched Root"])
    await host.shutdown()
  }
}
