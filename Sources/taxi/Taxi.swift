// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

@main
struct Taxi {
  static func main() async {
    // First: it opens missing standard streams.
    let terminal = Terminal.standard(environment: ProcessInfo.processInfo.environment)
    let interrupts = Interrupts()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let program = Task { await TaxiProgram(terminal: terminal).run(arguments) }
    interrupts.beforeExit { terminal.screen?.closeAtOnce() }
    if let screen = terminal.screen { interrupts.aroundSuspension({ screen.suspend() }, { screen.resume() }) }
    interrupts.onFirst {
      program.cancel()
      terminal.abandonStalledOutput()
    }
    let status = await program.value
    // A server ends in order by a signal, so its own status says how.
    exit(arguments.first == "serve" ? status : interrupts.exitStatus ?? status)
  }
}
