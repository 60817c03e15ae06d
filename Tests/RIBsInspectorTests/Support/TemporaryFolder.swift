// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A temporary folder for a test, removed when the value is released.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // Short, because the path of a socket may have at most about a hundred bytes.
    url = URL(fileURLWithPath: "/tmp/ribs-test-\(UInt32.random(in: .min ... .max))")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
