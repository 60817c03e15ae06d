// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation

extension Process {
  /// A separate queue, which gets a thread even while all test threads block.
  private static let limits = DispatchQueue(label: "ribs.tests.limits")

  /// Runs the process, and kills it after a timeout that no test needs on a slow machine. A test that waits for it
  /// then fails instead of hanging.
  package func run(forAtMost seconds: Int) throws {
    try run()
    Process.limits.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      guard let self, isRunning else { return }
      FileHandle.standardError.write(Data("killed after \(seconds) s: \(arguments ?? [])\n".utf8))
      kill(processIdentifier, SIGKILL)
    }
  }
}
