// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import TestSupport
import Testing

@Suite("The store that a server is started with")
struct StoreChoiceTests {
  private func open(_ place: String, _ timeout: Duration, as expected: String) -> MemoryStore {
    #expect((place, timeout) == (expected, .seconds(2)))
    return MemoryStore()
  }

  @Test("is files, PostgreSQL, SQLite, or none")
  func places() async throws {
    try await withTemporaryDirectory { folder in
      let texts: [(String?, String, isShared: Bool)] = [
        ("none", "in memory only", false), (folder, "in \(folder)", false), ("postgres://a/b", "in PostgreSQL", true),
        ("sqlite:a/b.sqlite", "in a/b.sqlite", false),
      ]
      for (text, place, isShared) in texts {
        let choice = StoreChoice(text)
        let opened = try await choice.open(
          for: "test", lease: .seconds(5), database: { open($0, $1, as: "postgres://a/b") },
          sqlite: { open($0, $1, as: "a/b.sqlite") })
        #expect(opened.place == place)
        #expect((opened.store == nil) == (text == "none"))
        #expect(choice.isShared == isShared)
      }
    }
  }

  @Test("is refused if the build has no such database, or it can't be opened")
  func missing() async throws {
    struct Away: Error {}
    for (text, library) in [("postgresql://a/b", "libpq"), ("sqlite:a", "libsqlite3")] {
      let missing = await #expect(throws: StoreChoice.Failure.self) {
        _ = try await StoreChoice(text).open(for: "test", lease: .seconds(5), database: nil)
      }
      #expect(missing?.description.contains(library) == true)
      await #expect(throws: StoreChoice.Failure.self) {
        _ = try await StoreChoice(text).open(
          for: "test", lease: .seconds(5), database: { _, _ in throw Away() }, sqlite: { _, _ in throw Away() })
      }
    }
  }
}
