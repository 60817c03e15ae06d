// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RIBsStore
import Support
import Testing

@testable import HTTPTrees

@Suite("The store that a server is started with")
struct StoreChoiceTests {
  @Test("is files, PostgreSQL, SQLite, or none")
  func places() async throws {
    let folder = TemporaryFolder().url.path
    let texts: [(String?, String, isShared: Bool)] = [
      ("none", "in memory only", false), (folder, "in \(folder)", false), ("postgres://a/b", "in PostgreSQL", true),
      ("sqlite:a/b.sqlite", "in a/b.sqlite", false),
    ]
    for (text, place, isShared) in texts {
      let choice = StoreChoice(text)
      let opened = try await choice.open(
        for: "test", lease: .seconds(5),
        database: { url, timeout in
          #expect(url == "postgres://a/b" && timeout == .seconds(2))
          return MemoryStore()
        },
        sqlite: { path, timeout in
          #expect(path == "a/b.sqlite" && timeout == .seconds(2))
          return MemoryStore()
        })
      #expect(opened.place == place)
      #expect((opened.store == nil) == (text == "none"))
      #expect(choice.isShared == isShared)
    }
  }

  @Test("is refused if the build has no such database, or it can't be opened")
  func missing() async throws {
    struct Away: Error {}
    for (text, library) in [("postgresql://a/b", "libpq"), ("sqlite:a", "libsqlite3")] {
      let missing = await #expect(throws: ValidationError.self) {
        _ = try await StoreChoice(text).open(for: "test", lease: .seconds(5), database: nil)
      }
      #expect(missing?.message.contains(library) == true)
      await #expect(throws: ValidationError.self) {
        _ = try await StoreChoice(text).open(
          for: "test", lease: .seconds(5), database: { _, _ in throw Away() }, sqlite: { _, _ in throw Away() })
      }
    }
  }

  @Test("and the limits of the server are arguments")
  func arguments() throws {
    let arguments = try ServerArguments.parse([
      "--store", "sqlite:a", "--idle-after", "5", "--calls-per-tree", "6", "--opens-at-once", "7",
      "--followers-per-tree",
      "8", "--body-limit", "9", "--tokens", "t", "--admin-port", "10",
      "--memory-limit", "11",
    ])
    let options = arguments.options
    #expect(options.idleAfter == .seconds(5) && options.followersPerTree == 8 && options.bodyLimit == 9)
    #expect(options.directory.idleAfter == .seconds(5) && options.directory.callLimit == 6)
    #expect(options.directory.opensAtOnce == 7 && options.directory.memoryLimit == 11 << 20)
    #expect(options.adminPort == 10 && options.adminHost == "127.0.0.1")
    for wrong in [
      ["--opens-at-once", "0"], ["--followers-per-tree", "0"], ["--body-limit", "-1"], ["--admin-port", "10"],
      ["--tokens", "t", "--admin-port", "8080"], ["--tokens", "t", "--admin-port", "0"],
      ["--memory-limit", "-1"],
    ] {
      #expect(throws: (any Error).self, "\(wrong)") { try ServerArguments.parse(wrong) }
    }
  }
}
