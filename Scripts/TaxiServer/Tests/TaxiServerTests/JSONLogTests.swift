// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization
import Testing

@testable import HTTPTrees

@Suite("A log in JSON", .timeLimit(.minutes(20)))
struct JSONLogTests {
  @Test("has one object on each line, whatever the message and its metadata contain")
  func lines() throws {
    let lines = Mutex<[String]>([])
    let write = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
    var logger = Logger(label: "orders") { JSONLogHandler(label: $0, write: write) }
    logger[metadataKey: "rider"] = "anna"
    logger[metadataKey: "route"] = "old"
    logger.debug("too unimportant")
    logger.warning(
      "two\nlines, \"quoted\"",
      metadata: ["route": "/a\u{2028}\u{0}", "list": ["1", "é"], "nested": ["key": .stringConvertible(2)]])
    let all = lines.withLock { $0 }
    #expect(all.count == 1)
    let line = try #require(all.first)
    #expect(!line.contains("\n"))
    var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let time = try #require(object.removeValue(forKey: "time") as? String)
    #expect(throws: Never.self) { try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time) }
    let expected: [String: Any] = [
      "label": "orders", "level": "warning", "message": "two\nlines, \"quoted\"", "source": "TaxiServerTests",
      "metadata": [
        "rider": "anna", "route": "/a\u{2028}\u{0}", "list": ["1", "é"], "nested": ["key": "2"],
      ] as [String: Any],
    ]
    #expect(NSDictionary(dictionary: object) == NSDictionary(dictionary: expected))
  }

  @Test("is all that a server writes to standard error with --log-format json")
  func server() async throws {
    let server = try await ServerProcess.start(["--store", "none", "--log-format", "json", "--log", "debug"])
    try await expect(201) { try await server.client.open("anna") }
    #expect(await server.end(SIGTERM) == 0)
    let objects = try server.log.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    for object in objects {
      #expect(Set(object.keys) == ["label", "level", "message", "metadata", "source", "time"])
    }
    let answers = objects.filter { $0["message"] as? String == "answered" }
    #expect(answers.contains { ($0["metadata"] as? [String: String])?["status"] == "201" }, "\(answers)")
  }
}
