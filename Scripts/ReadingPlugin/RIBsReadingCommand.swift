// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package ribs-read`: runs the commands of `Scripts/ribs` that only read, without the permission to write.
@main
struct RIBsReadingCommand: CommandPlugin {
  /// The commands that write no files of the package.
  private static let commands: Set<String> = [
    "tree", "lint", "saved", "ps", "dump", "watch", "events", "replay", "diff", "serve", "help",
  ]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    guard let command = arguments.first, Self.commands.contains(command) || command.hasPrefix("-") else {
      throw Failure(
        description:
          "this plugin runs only \(Self.commands.sorted().joined(separator: ", ")); for other commands, use: "
          + "swift package --allow-writing-to-package-directory ribs \(arguments.joined(separator: " "))")
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scripts/ribs").standardizedFileURL
    let process = Process()
    process.executableURL = script
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    #if os(macOS)
      // The sandbox lets a plugin write to this folder, but not to the user's cache.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["RIBS_BUILD_PATH": context.pluginWorkDirectoryURL.appending(path: "tools").path]
      ) { _, new in new }
    #endif
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description:
          "it ended with status \(process.terminationStatus); \(script.path) can be run without a plugin, too")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
