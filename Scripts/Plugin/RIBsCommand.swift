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
    // The one folder beside the package's that a plugin may write to.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["RIBS_BUILD_PATH": context.pluginWorkDirectoryURL.appending(path: "tools").path]
    ) { _, new in new }
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
