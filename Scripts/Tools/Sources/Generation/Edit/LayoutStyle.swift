import Foundation

/// How code is laid out: what `.swift-format` says, as far as edits need it.
public struct LayoutStyle: Hashable, Sendable {
  /// How long a line may be.
  public let lineLength: Int
  /// What a line is indented by, per level.
  public let unit: String

  public init(lineLength: Int = 100, unit: String = "  ") {
    self.lineLength = lineLength
    self.unit = unit
  }

  /// The style of the package in a folder: its `.swift-format`, or the nearest one above it, or the formatter's own.
  public init(near folder: URL) {
    guard let file = LayoutStyle.file(near: folder), let data = FileManager.default.contents(atPath: file.path),
      let settings = try? JSONDecoder().decode(Settings.self, from: data)
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

  /// The `.swift-format` that holds for a folder.
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
