// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Foundation

extension Process {
  /// A queue of its own, which gets a thread also while all threads of tests wait.
  private static let limits = DispatchQueue(label: "ribs.tests.limits")

  /// Runs the process, and kills it if it runs for longer than any test needs on a slow machine: what waits for it fails
  /// then, and does not hang.
  package func run(forAtMost seconds: Int) throws {
    try run()
    Process.limits.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      guard let self, isRunning else { return }
      FileHandle.standardError.write(Data("killed after \(seconds) s: \(arguments ?? [])\n".utf8))
      kill(processIdentifier, SIGKILL)
    }
  }
}
