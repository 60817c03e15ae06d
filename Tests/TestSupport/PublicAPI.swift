// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The list of the public declarations of a module, `Tests/API`.
package func publicAPI(of module: String) throws -> String {
  let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return try String(contentsOf: tests.appendingPathComponent("API/\(module).txt"), encoding: .utf8)
}
