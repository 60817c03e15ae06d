// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Calls a closure with the path of a new directory, which is removed afterwards.
func withTemporaryDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let path = NSTemporaryDirectory() + "ribs-sqlite-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}
