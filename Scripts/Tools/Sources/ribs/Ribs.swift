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
      refused with the lines to write by hand.

      A first tree, in a package with a target that depends on RIBs:

        ribs new Root --root
        ribs new LoggedOut --parent Root
        ribs new Order --parent Root --viewless
        ribs link Order --parent LoggedOut
        ribs tree
        ribs lint

      A program that runs, and shows its trees:

        ribs ps
        ribs watch taxi

      Look first, with --dry-run: it prints a unified diff, as 'git apply' takes it, and writes nothing.

      Exit status: 0 done; 1 something was found; 64 wrong use; 66 no such file, RIB or target; 73 refused, and nothing \
      was changed.
      """,
    version: version,
    subcommands: [
      New.self, LinkCommand.self, UnlinkCommand.self, RenameCommand.self, RemoveCommand.self, ScaffoldCommand.self,
      TreeCommand.self, LintCommand.self, MocksCommand.self,
      PsCommand.self, DumpCommand.self, WatchCommand.self, EventsCommand.self,
    ])

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == [Finisher.argument] { return Finisher.run() }
    do {
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
