import ArgumentParser
import Foundation
import Generation

/// `ribs mocks`.
struct MocksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mocks",
    abstract: "Write mocks of the protocols in sources.",
    discussion: """
      Each protocol P gets a class PMock. For a function fare(of:) it has fareCallCount, fareArguments with what it was \
      given each time, and fareHandler, which a test sets to say what it does; without a handler it returns 0, nil, an \
      empty list and the like, and stops the test where there is no such value. A property is a variable, and counts in \
      barSetCallCount how often it is set. What a protocol inherits is there too: from others of the package, and from \
      those of the module RIBs. Mocks of Sendable protocols may be used from several threads.

      What can't be mocked, or has a mock already, is named on standard error.

      Examples:
        ribs mocks Sources/App/Services --output Tests/AppTests/Mocks.swift
        ribs mocks Sources/App/Services --output Tests/AppTests/Mocks.swift --check   for CI: 1 if it is out of date
        ribs mocks Sources/App/FareService.swift                                      to standard output
      """)

  @Argument(
    help: "Files and folders with protocols. (default: all targets that are not tests)", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("The file to write. (default: standard output)", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Write nothing, and show what would change in the file. Exit status 1 if anything would.")
  var check = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    if check && output == nil { throw ValidationError("--check needs the file to look at: --output FILE.") }
    if let output, !output.hasSuffix(".swift") { throw ValidationError("'\(output)' is no Swift file.") }
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
