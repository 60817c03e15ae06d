// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import HTTPTrees

@Suite("The arguments of a server")
struct ServerArgumentsTests {
  @Test("name a store, and say what to do if it can't be opened")
  func refused() async throws {
    for (store, advice) in [("postgresql://a/b", "Install libpq"), ("/dev/null/trees", "--store DIRECTORY")] {
      let arguments = try ServerArguments.parse(["--store", store, "--address", "a:1"])
      let error = await #expect(throws: ValidationError.self) {
        _ = try await arguments.openStore(for: "test", database: nil)
      }
      #expect(error?.message.contains(advice) == true)
    }
  }

  @Test("are its limits")
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
      ["--memory-limit", "-1"], ["--turn-limit", "-1"],
    ] + ["--drain", "--idle-after", "--turn-limit", "--turn-abort", "--timeout"].map({ [$0, "inf"] }) {
      #expect(throws: (any Error).self, "\(wrong)") { try ServerArguments.parse(wrong) }
    }
  }
}
