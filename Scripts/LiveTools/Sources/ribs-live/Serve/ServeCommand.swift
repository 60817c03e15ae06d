import ArgumentParser
import Dispatch
import Foundation
import RIBs
import RIBsInspector

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

  func run() async throws {
    let recording = try recording()
    let processes = ServedProcesses(choice: process, directory: live.directory)
    // Fails at once if the directory is not safe, or the path is not that of a socket. A process may come later.
    let shown = try await answer { () throws(InspectorError) in try processes.all() }
    if recording != nil {
      // Nothing is asked of processes.
    } else if let process, process.contains("/"), shown.isEmpty {
      throw Failure.missing("'\(process)' is not named like the socket of a process that shows trees")
    } else if shown.isEmpty {
      live.note(
        process.map { "no process '\($0)' shows its trees yet; the page shows it when it does" }
          ?? "no process shows its trees yet; the page shows them when one does")
    }
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { Signals.source($0) { signal.finish() } }
    let server = PageServer(processes: processes, recording: recording, timeout: live.timeout)
    let opens = open
    let serving = Task {
      defer { signal.finish() }
      try await server.run(port: port) { address in
        try? StandardOutput.write(address + "\n")
        if opens { Browser.open(address) }
      }
    }
    for await _ in signals {}
    serving.cancel()
    withExtendedLifetime(sources) {}
    Browser.forget()
    do {
      try await serving.value
    } catch is CancellationError {
    } catch {
      throw Failure.refused("the page can't be served on port \(port): \(error)")
    }
  }

  /// The recording, if the argument names one.
  private func recording() throws -> ServedRecording? {
    guard let process, RecordingFile.isNamed(by: process) else { return nil }
    return ServedRecording(recording: try RecordingFile(process, live.output).recording)
  }
}
