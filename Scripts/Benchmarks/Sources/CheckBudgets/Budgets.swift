// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The checked-in budgets of operations.
struct Budgets: Codable {
  /// The toolchain the budgets were counted with. Another compiler or processor executes different instructions.
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
