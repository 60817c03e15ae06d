// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `ribs serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show running processes live on a page in the browser.",
    discussion: """
      Prints the address of a page, and serves it until you press Control-C: the trees of your processes, which RIBs live, \
      what they do, their failures and restarts as they happen, and a slider to look back. The page names its keys and \
      marks: press ? in it.

      The page is served to this machine only, on a random port. The address contains a random token, and requests \
      without it are refused, so that other users of the machine can't look. Don't pass the address on.

      A process never waits for the page. While the page shows a tree, the tree reports its events, and the page reads it \
      about once a second. Other trees report theirs only while the page follows all trees of the process, as it does for \
      processes of up to 100 trees.

      A file that 'ribs record' or an inspector has written is shown instead of processes, from its beginning to its end.

      Examples:
        ribs serve
        ribs serve taxi --open
        ribs serve orders.ribs
        ribs serve --port 8080

      Over SSH, forward the port, and open the address on your own machine:
        ssh -L 8080:127.0.0.1:8080 server ribs serve --port 8080

      Exit status: 0 success; 64 invalid usage; 65 the file is not a recording; 66 no such process or file; 73 the \
      directory of the sockets is not safe, or the port is in use.
      """)

  @Argument(
    help: ArgumentHelp(
      "A process: its number, the name of its program, or the path of its socket; or a recording. (default: all of yours)",
      valueName: "pid-or-file"),
    completion: .custom { words, _, _ in Completions.processes(words) })
  var process: String?

  @OptionGroup var live: LiveOptions

  @Option(help: ArgumentHelp("The port. (default: a random one)", valueName: "number"))
  var port = 0

  @Flag(help: "Open the page in the browser.")
  var open = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
  }
}
