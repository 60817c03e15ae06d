// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A temporary folder for one test, private to this user.
struct TemporaryFolder {
  let path: String

  init() throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "taxi-test-\(UInt32.random(in: 0...UInt32.max))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    path = folder.path
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
