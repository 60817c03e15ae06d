// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// `ribs mocks`.
struct MocksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mocks",
    abstract: "Generate mocks of protocols.",
    discussion: """
      Generates a class PMock for each protocol P. For a function fare(of:), the class has fareCallCount, fareArguments \
      with the arguments of each call, and fareHandler, which a test sets to implement the function. Without a handler, \
      the function returns a default value such as 0, nil or an empty array; if there is none, it stops the test. A \
      property is a variable, and barSetCallCount counts its assignments. Inherited requirements are included, from \
      protocols of the package and of the module RIBs. Mocks of Sendable protocols are thread-safe. Replaces no file that \
      it has not written.

      Prints the protocols that can't be mocked, or already have a mock, to standard error.

      Examples:
        ribs mocks Sources/App/Services --output Tests/AppTests/Mocks.swift
        ribs mocks Sources/App/Services --output Tests/AppTests/Mocks.swift --check   in CI: exits with 1 if the file is outdated
        ribs mocks Sources/App/FareService.swift                                      to standard output
      """)

  @Argument(
    help: "Files and folders with protocols. (default: all targets except tests)", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("The file to write. (default: standard output)", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Print the changes to the file without writing them. Exits with 1 if there are any.")
  var check = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    if check && output == nil { throw ValidationError("--check needs the file to compare with: --output FILE.") }
    if let output, !output.hasSuffix(".swift") { throw ValidationError("'\(output)' is not a Swift file.") }
  }

  func run() throws {
    let workspace = try options.workspace()
    var mocks = Mocks(paths: try paths.map { try Folder.inside(workspace.root, $0) })
    mocks.output = try output.map { try Folder.inside(workspace.root, $0) }
    let (text, notes) = try mocks.text(in: workspace)
    guard let output = mocks.output else {
      print(text, terminator: "")
      return notes.forEach(options.note)
    }
    workspace.write(text, to: output)
    guard check else { return try options.finish(workspace, notes: notes) }
    notes.forEach(options.note)
    let difference = try workspace.plan().diff
    if difference.isEmpty { return options.say("\(output) is up to date") }
    print(difference, terminator: "")
    throw ExitCode(1)
  }
}
