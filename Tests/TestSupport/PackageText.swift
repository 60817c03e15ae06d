// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of a file, by its path in this package.
package func packageText(_ path: String) throws -> String {
  let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL
  return try String(contentsOf: root.appending(path: path), encoding: .utf8)
}
