// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// The `ribs` tool.
@main
struct Ribs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ribs",
    abstract: "Creates and links RIBs, prints their tree, and finds mistakes in it.",
    discussion: """
      A RIB is a builder, a component, an interactor and a router in a folder. This tool creates RIBs from templates and \
      edits existing ones. An edit changes all of its files or none. If code can't be edited safely, the tool refuses and \
      prints the lines to write by hand. The next command completes an interrupted edit, as does 'ribs finish'; 'ribs \
      undo' restores every file instead.

      A first tree, in a package with a target that depends on RIBs:

        ribs new Root --root
        ribs new LoggedOut --parent Root
        ribs new Order --parent Root --view
        ribs link Order --parent LoggedOut
        ribs tree
        ribs lint

      Logs, metrics and traces of its trees, by libraries that you use:

        ribs add observability

      The trees of a running program:

        ribs ps
        ribs watch taxi

      A saved tree:

        ribs saved order.json

      Completions of commands, processes, trees and RIBs for your shell, which is bash, zsh or fish:

        source <(ribs --generate-completion-script bash)
        ribs --generate-completion-script fish | source

      With --dry-run, a command prints its changes as a unified diff, which 'git apply' accepts, and writes nothing.

      Exit status: 0 success; 1 findings or differences; 64 invalid usage; 65 invalid settings; 66 no such file, RIB or \
      target; 73 refused, no file has changed; 74 an edit was interrupted, run 'ribs undo' or 'ribs finish'.
      """,
    version: toolVersion,
    subcommands: [
      New.self, LinkCommand.self, UnlinkCommand.self, RenameCommand.self, RemoveCommand.self, ScaffoldCommand.self,
      AddCommand.self, MigrateCommand.self,
      UndoCommand.self, FinishCommand.self, TreeCommand.self, LintCommand.self, MocksCommand.self,
      PsCommand.self, DumpCommand.self, WatchCommand.self, EventsCommand.self, RecordCommand.self, ReplayCommand.self,
      DiffCommand.self, ServeCommand.self, SavedCommand.self,
    ])

  /// Throws an error with a suggestion if the command does not exist.
  private static func refuseMisspelled(_ arguments: [String]) throws {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() } + ["help"]
    guard let name = arguments.first, !name.hasPrefix("-"), !names.contains(name),
      let near = Suggestion.nearest(to: name, among: names)
    else { return }
    throw Failure.usage("there is no command '\(name)'; did you mean '\(near)'?")
  }

  private static func end(_ failure: Failure) -> Never {
    FileHandle.standardError.write(Data("ribs: \(failure.message)\n".utf8))
    Foundation.exit(failure.status)
  }

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == [Finisher.argument] { return Finisher.run() }
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
      // The status 1 means findings or differences.
      if !(error is ExitCode), exitCode(for: error) == .failure {
        end(.refused("\(error.localizedDescription)"))
      }
      exit(withError: error)
    }
  }
}
