internal import Foundation
internal import RIBs

/// A minimal server: a tree for each session, and an orderly shutdown on a termination signal.
///
/// `sessions [COUNT] [--events] [--stuck]` opens sessions and keeps them open until SIGTERM or SIGINT. Then no more
/// sessions are opened, all trees are shut down concurrently, and tasks that don't end within two seconds are listed.
/// The exit status is 0, or 1 if there are such tasks.
@main
struct Sessions {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") {
      print(help, terminator: "")
      return
    }
    if let unknown = arguments.first(where: { Int($0) == nil && !["--events", "--stuck"].contains($0) }) {
      FileHandle.standardError.write(Data("sessions: unknown argument '\(unknown)'\n\(help)".utf8))
      exit(64)
    }
    let count = max(0, arguments.lazy.compactMap { Int($0) }.first ?? 3)
    // Before the first session, so that an early signal also leads to an orderly shutdown.
    let termination = Termination()

    var configuration = TreeConfiguration()
    if arguments.contains("--events") { configuration.onEvent = { event in say(event) } }
    let isStuck = arguments.contains("--stuck")
    let executors = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in TreeExecutor() }
    var hosts: [TreeHost<SessionRouter>] = []
    for number in 1...max(1, count) where number <= count && !termination.hasCome {
      // A connection would be served by a task that prefers the same executor.
      configuration.executor = executors[number % executors.count]
      hosts.append(
        await TreeHost(configuration: configuration) {
          SessionBuilder(dependency: EmptyComponent()).build(number: number, isStuck: isStuck && number == 1)
        })
    }
    say("\(hosts.count) sessions are open; stop them with: kill \(ProcessInfo.processInfo.processIdentifier)")

    await termination.wait()
    say("ending \(hosts.count) sessions")
    let stuck = await hosts.shutdown(timeout: .seconds(2)).flatMap(\.unfinishedTasks)
    for work in stuck { say("stuck: \(work)") }
    say(stuck.isEmpty ? "all sessions have ended" : "all sessions have ended, but not all of their work")
    exit(stuck.isEmpty ? 0 : 1)
  }

  private static let help = """
    Usage: sessions [COUNT] [--events] [--stuck]

    Opens COUNT sessions (default: 3), each a tree of RIBs, and shuts them down on SIGTERM or SIGINT.

      --events   write each event of each tree as a line
      --stuck    let the first session start work that ignores its cancellation

    """
}
