import ArgumentParser
import Foundation
import Generation

/// The `ribs` tool.
@main
struct Ribs: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "ribs",
    abstract: "Writes RIBs, links them to a tree, shows the tree, and looks for mistakes in it.",
    discussion: """
      A RIB is a builder, a component, an interactor and a router, in a folder of its own. This tool makes them from \
      templates, and edits what is there: all files of an edit change, or none does, and what can't be edited safely is \
      refused with the lines to write by hand. An edit that is interrupted is completed by the next command; 'ribs finish' \
      does so, and 'ribs undo' restores every file instead.

      A first tree, in a package with a target that depends on RIBs:

        ribs new Root --root
        ribs new LoggedOut --parent Root
        ribs new Order --parent Root --view
        ribs link Order --parent LoggedOut
        ribs tree
        ribs lint

      A program that runs, and shows its trees:

        ribs ps
        ribs watch taxi

      Look first, with --dry-run: it prints a unified diff, as 'git apply' takes it, and writes nothing.

      Exit status: 0 done; 1 something was found; 64 wrong use; 66 no such file, RIB or target; 73 refused, and every file \
      is as it was; 74 an edit was interrupted, and 'ribs undo' or 'ribs finish' ends it.
      """,
    version: version,
    subcommands: [
      New.self, LinkCommand.self, UnlinkCommand.self, RenameCommand.self, RemoveCommand.self, ScaffoldCommand.self,
      UndoCommand.self, FinishCommand.self, TreeCommand.self, LintCommand.self, MocksCommand.self,
      PsCommand.self, DumpCommand.self, WatchCommand.self, EventsCommand.self,
    ])

  /// Throws an error with a suggestion if the command does not exist.
  private static func refuseMisspelled(_ arguments: [String]) throws {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() } + ["help"]
    guard let name = arguments.first, !name.hasPrefix("-"), !names.contains(name),
      let near = Suggestion.nearest(to: name, among: names)
    else { return }
    throw Failure.usage("there is no command '\(name)'; did you mean '\(near)'?")
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
      FileHandle.standardError.write(Data("ribs: \(failure.message)\n".utf8))
      Foundation.exit(failure.status)
    } catch {
      exit(withError: error)
    }
  }
}
