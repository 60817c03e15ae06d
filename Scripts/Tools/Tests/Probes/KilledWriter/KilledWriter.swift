import Foundation
import Generation

/// Carries out the plan on standard input, as `ribs` does, and kills itself before a change of the disk, by its number.
@main
struct KilledWriter {
  static func main() throws {
    let plan = try JSONDecoder().decode(Plan.self, from: FileHandle.standardInput.readDataToEndOfFile())
    var left = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? .max
    try Transaction.carryOut(plan) {
      if left == 0 { kill(getpid(), SIGKILL) }
      left -= 1
    }
  }
}
