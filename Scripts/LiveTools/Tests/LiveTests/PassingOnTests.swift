// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import ribs_live

@Suite("Scripts/ribs and its tool")
struct PassingOnTests {
  static let scripts = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..").standardizedFileURL

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.scripts.appending(path: path), encoding: .utf8)
  }

  @Test("know each command of this program, by the same abstract")
  func commands() throws {
    let configurations = LiveTool.configuration.subcommands.map { $0.configuration }
    let names = configurations.compactMap(\.commandName)
    #expect(try text("ribs").contains("\n  \(names.joined(separator: " | ")))\n"))
    let passing = try text("Tools/Sources/ribs/Commands/LiveCommands.swift")
    let plugin = try text("ReadingPlugin/RIBsReadingCommand.swift")
    for configuration in configurations {
      let name = try #require(configuration.commandName)
      #expect(passing.contains("passedOn(\"\(name)\", \"\(configuration.abstract)\")"), "\(name)")
      // A recording is written to a file.
      #expect(plugin.contains("\"\(name)\"") == (name != "record"), "\(name)")
    }
    #expect(passing.components(separatedBy: "passedOn(\"").count - 1 == names.count)
  }
}
