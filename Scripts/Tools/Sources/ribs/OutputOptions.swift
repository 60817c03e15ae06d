// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The option to print less, of all commands.
struct OutputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only the result and errors.")
  var quiet = false

  /// Prints a line, unless `--quiet` is set.
  func say(_ line: String) {
    if !quiet { print(line) }
  }

  /// Prints a note to standard error, unless `--quiet` is set.
  func note(_ line: String) {
    if !quiet { FileHandle.standardError.write(Data("note: \(line)\n".utf8)) }
  }
}
