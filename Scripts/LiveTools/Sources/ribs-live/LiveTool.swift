// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The commands of `ribs` for running processes, as a program of their own.
@main
struct LiveTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Shows the trees of running processes, of recordings, and saved ones.",
    discussion: """
      A program exposes its trees to processes of the same user if it starts an inspector and passes it to the trees:

        let inspector = try Inspector.start()
        TreeHost(configuration: TreeConfiguration(inspector: inspector)) { … }

      This program needs no other file, so that it can be copied to the machine of a server. 'ribs' passes these \
      commands on to it.

      Completions of commands, processes, trees and RIBs for your shell, which is bash, zsh or fish:

        source <(ribs --generate-completion-script bash)
        ribs --generate-completion-script fish | source

      Exit status: 0 success; 1 a process or tree does not answer; 64 invalid usage, or ambiguous; 65 not a \
      recording or a saved tree; 66 no such process, file, tree or RIB; 73 refused; 74 the output can't be written.
      """,
    version: toolVersion,
    subcommands: [
      PsCommand.self, DumpCommand.self, WatchCommand.self, EventsCommand.self, RecordCommand.self, ReplayCommand.self,
      DiffCommand.self, ServeCommand.self, SavedCommand.self,
    ])

  /// The name by which the program was started: `ribs` if it was started by `Scripts/ribs`.
  private static let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "ribs-live"

  /// The working directory of the process.
  static var folder: URL { URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory) }

  /// Throws an error with a suggestion if the command does not exist.
  private static func refuseMisspelled(_ arguments: [String]) throws {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let name = arguments.first, !name.hasPrefix("-"), !names.contains(name),
      let near = Suggestion.nearest(to: name, among: names)
    else { return }
    throw Failure.usage("there is no command '\(name)'; did you mean '\(near)'?")
  }

  /// Prints the message of a failure, and ends the process with its status.
  static func end(_ failure: Failure) -> Never {
    FileHandle.standardError.write(Data("ribs: \(failure.message.oneLine)\n".utf8))
    Foundation.exit(failure.status)
  }

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // What completion scripts call. Only this function runs asynchronous completions.
    if arguments.first == "---completion" { return await main(arguments) }
    do {
      try refuseMisspelled(arguments)
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      end(failure)
    } catch {
      exit(withError: error)
    }
  }
}
