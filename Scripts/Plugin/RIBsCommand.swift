// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package ribs`: runs `Scripts/ribs` of this package in the package that depends on it.
@main
struct RIBsCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scripts/ribs").standardizedFileURL
    let process = Process()
    process.executableURL = script
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    #if os(macOS)
      // The sandbox lets a plugin write to this folder and the package's, but not to the user's cache.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["RIBS_BUILD_PATH": context.pluginWorkDirectoryURL.appending(path: "tools").path]
      ) { _, new in new }
    #endif
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus, script: script.path)
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let script: String

    var description: String { "it ended with status \(status); \(script) can be run without a plugin, too" }
  }
}
