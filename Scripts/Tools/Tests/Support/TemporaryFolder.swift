// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A folder that exists as long as its test.
public final class TemporaryFolder: Sendable {
  /// The location. Its path contains a space and a non-ASCII letter.
  public let url: URL

  public init() {
    url =
      FileManager.default.temporaryDirectory.appending(path: "ribs tests é \(UUID().uuidString)")
      .standardizedFileURL
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// All files and folders except build products, sorted.
  public var everything: [String] {
    guard let enumerator = FileManager.default.enumerator(atPath: url.path) else { return [] }
    var paths: [String] = []
    while let path = enumerator.nextObject() as? String {
      if path == ".build" { enumerator.skipDescendants() } else { paths.append(path) }
    }
    return paths.sorted()
  }

  /// The texts of all files except build products.
  public var contents: [String: String] {
    var contents: [String: String] = [:]
    for path in everything {
      let file = url.appending(path: path)
      if let data = FileManager.default.contents(atPath: file.path) {
        contents[path] = String(decoding: data, as: UTF8.self)
      }
    }
    return contents
  }
}
