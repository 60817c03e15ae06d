// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The templates for new files: folders of Swift files with placeholders. See `Templates/README.md`.
public struct TemplateLibrary: Sendable {
  /// A template: a folder of its own, or one that it shares with others, which differ in their conditions.
  struct Template: Hashable, Sendable {
    let name: String
    /// The folder that applies if there is none of its own; nil if it shares none.
    var shared: String?
    var conditions = TemplateConditions(holding: [])
  }

  /// One file of a template.
  struct File: Hashable, Sendable {
    /// The name of the file, with placeholders.
    let name: String
    let text: String
  }

  /// The library that comes with the tool: that of the running copy, set by Scripts/ribs, that in the bundle of a
  /// release, or that of the sources it was built from.
  public static let builtIn: URL = {
    if let path = ProcessInfo.processInfo.environment["RIBS_TEMPLATES"] {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    let bundled = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "../share/swift-ribs/Templates").standardizedFileURL
    if let bundled, FileManager.default.fileExists(atPath: bundled.path) { return bundled }
    return URL(filePath: #filePath)
      .deletingLastPathComponent().appending(path: "../../../../../Templates").standardizedFileURL
  }()

  private let folders: [URL]

  /// Opens the library that comes with the tool, and optionally a custom one that overrides it.
  ///
  /// - Parameter own: a folder whose templates replace those of the same name.
  public init(own: URL? = nil) throws {
    if let own, !FileManager.default.fileExists(atPath: own.path) {
      throw Failure.missing("there is no folder of templates '\(own.path)'")
    }
    folders = [own, TemplateLibrary.builtIn].compactMap { $0 }
  }

  /// The files in a part of a template, such as its tests, without those that are empty under its conditions; sorted
  /// by name.
  func files(of template: Template, part: String) throws -> [File] {
    let candidates = folders.flatMap { folder in
      [template.name, template.shared].compactMap { $0 }.map { folder.appending(path: $0) }
    }
    guard let folder = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
      throw Failure.missing(
        "there is no template '\(template.name)' in \(folders.map(\.path).joined(separator: ", "))")
    }
    let place = folder.appending(path: part)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    return try names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      let path = place.appending(path: name).path
      guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
      else { throw Failure.missing("the template '\(path)' can't be read") }
      let resolved = try template.conditions.resolved(text, of: path)
      return resolved.allSatisfy(\.isWhitespace) ? nil : File(name: name, text: resolved)
    }
  }
}
