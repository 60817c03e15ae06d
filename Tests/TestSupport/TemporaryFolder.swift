// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A temporary folder for a test, private to this user. It is removed when the object is released.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    // Short, because the path of a socket may have at most about a hundred bytes.
    url = URL(filePath: "/tmp/ribs-test-\(UInt32.random(in: .min ... .max))")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { remove() }

  package var path: String { url.path }

  package func file(_ name: String) -> URL { url.appending(path: name) }

  /// Removes it now. A test that has only its path calls this at its end.
  package func remove() { try? FileManager.default.removeItem(at: url) }
}

/// Calls a closure with the path of a new folder, which is removed afterwards.
package func withTemporaryDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = try TemporaryFolder()
  defer { folder.remove() }
  return try await body(folder.path)
}
