// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Measures in a separate process for the process that prints the table.
struct MeasureApart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apart", abstract: "What is measured, and what it is compared with.", shouldDisplay: false)

  @Argument var apart: Apart

  @Flag(help: "Fail if memory does not come from jemalloc.")
  var jemalloc = false

  func run() async throws {
    if jemalloc, dlsym(nil, "mallctl") == nil { throw ExitCode(69) }
    let reading = try await apart.measured()
    print(reading.value, reading.baseline)
  }
}
