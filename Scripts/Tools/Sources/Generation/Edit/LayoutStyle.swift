// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The code layout: the settings of `.swift-format` that edits need.
public struct LayoutStyle: Hashable, Sendable {
  /// The maximum line length.
  public let lineLength: Int
  /// The indentation per level.
  public let unit: String

  public init(lineLength: Int = 100, unit: String = "  ") {
    self.lineLength = lineLength
    self.unit = unit
  }

  /// The style of the package in a folder: the nearest `.swift-format` in or above it, or the formatter's defaults.
  public init(near folder: URL) {
    let decoder = JSONDecoder()
    // The formatter accepts comments and trailing commas, too.
    decoder.allowsJSON5 = true
    guard let file = LayoutStyle.file(near: folder), let data = FileManager.default.contents(atPath: file.path),
      let settings = try? decoder.decode(Settings.self, from: data)
    else {
      self.init()
      return
    }
    let unit =
      if let tabs = settings.indentation?.tabs {
        String(repeating: "\t", count: tabs)
      } else {
        String(repeating: " ", count: settings.indentation?.spaces ?? 2)
      }
    self.init(lineLength: settings.lineLength ?? 100, unit: unit)
  }

  /// The `.swift-format` that applies to a folder.
  static func file(near folder: URL) -> URL? {
    var folder = folder.standardizedFileURL
    while true {
      let file = folder.appending(path: ".swift-format")
      if FileManager.default.fileExists(atPath: file.path) { return file }
      if folder.path == "/" { return nil }
      folder = folder.deletingLastPathComponent().standardizedFileURL
    }
  }

  private struct Settings: Decodable {
    struct Indentation: Decodable {
      let spaces: Int?
      let tabs: Int?
    }

    let lineLength: Int?
    let indentation: Indentation?
  }
}
