import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("A builder that calls its directory")
struct CircularBuilderTests {
  private final class Directories: Sendable {
    let current = Promise<TreeDirectory<Int, AccountRouter>>()
  }

  /// Each tree is built with the balance of the tree that `needs` says.
  private func accounts(_ needs: @escaping @Sendable (Int) -> Int?) -> TreeDirectory<Int, AccountRouter> {
    let directories = Directories()
    let accounts = TreeDirectory("account", onEvent: { (_: DirectoryEvent<Int>) in }) { (id: Int) async throws in
      if let other = needs(id) { _ = try await directories.current.value.perform(on: other) { _ in } }
      return AccountRouter(Bank())
    }
    directories.current.set(accounts)
    return accounts
  }

  @Test("is refused if it calls its own tree, directly or through other builders", arguments: [1, 2, 5])
  func circle(length: Int) async throws {
    let accounts = accounts { $0 % length + 1 }
    await #expect(throws: CircularOpening.self) { try await accounts.perform(on: 1) { _ in } }
    await accounts.shutdown()
  }

  @Test("can call other trees, which others open at the same time")
  func chain() async throws {
    let accounts = accounts { $0 > 1 ? $0 / 2 : nil }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...64 { group.addTask { try await accounts.perform(on: id) { _ in } } }
      try await group.waitForAll()
    }
    #expect(accounts.count == 64)
    await accounts.shutdown()
  }
}
