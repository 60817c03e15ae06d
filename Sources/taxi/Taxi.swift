internal import Foundation
internal import TaxiOrder

@main
struct Taxi {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let terminal = Terminal.standard(environment: ProcessInfo.processInfo.environment)
    let program = Task { await TaxiProgram(terminal: terminal).run(arguments) }
    let interrupts = Interrupts { program.cancel() }
    let status = await program.value
    exit(interrupts.exitStatus ?? status)
  }
}
