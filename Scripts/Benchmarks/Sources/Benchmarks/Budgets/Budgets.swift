import Foundation

/// What operations may take, as it is checked in.
struct Budgets: Codable {
  /// What it was counted with, and holds for: another compiler, or another processor, takes other instructions.
  let toolchain: String
  let costs: [String: Cost]

  init(toolchain: String, costs: [String: Cost]) {
    self.toolchain = toolchain
    self.costs = costs
  }

  init(from file: URL) throws {
    self = try JSONDecoder().decode(Budgets.self, from: Data(contentsOf: file))
  }

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
  }
}
