// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A template that connects trees to another library, such as a log or a database. A folder in `Templates/Adapters`.
public struct Adapter: Hashable, Sendable {
  /// The name of the adapter: of its folder, its target and its main type.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// What the manifest needs: dependencies of the package, and targets.
  let manifestItems: [ManifestItem]
  /// The files to write, and their paths below the folder that will contain the adapter.
  let files: [(path: String, text: String)]

  /// The folders of the files: of the adapter, and of the C modules that it imports.
  var folders: [String] { Set(files.map { $0.path.prefix { $0 != "/" } }.map(String.init)).sorted() }

  public static func == (one: Adapter, other: Adapter) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Adapters that belong together, by the name of the group.
  public static let groups = ["observability": ["TreeLog", "TreeMetrics", "TreeTraces"]]

  private static var folder: URL { TemplateLibrary.builtIn.appending(path: "Adapters") }

  /// All adapters, by name.
  public static func all() throws -> [Adapter] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return try names.sorted().compactMap { try Adapter(name: $0) }
  }

  /// The adapters with the given names, or in the groups of these names, in the order of the names.
  public static func named(_ names: [String]) throws -> [Adapter] {
    let all = try all()
    var found: [Adapter] = []
    for name in names.flatMap({ groups[$0] ?? [$0] }) {
      guard let adapter = all.first(where: { $0.name == name }) else {
        let known = all.map(\.name) + groups.keys.sorted()
        let near = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" }
        throw Failure.missing(
          "there is no adapter '\(name)'" + (near ?? "; there are: \(known.joined(separator: ", "))"))
      }
      if !found.contains(adapter) { found.append(adapter) }
    }
    return found
  }

  /// Reads an adapter.
  ///
  /// - Returns: nil for a folder that is only a part of adapters, such as a module of a C library.
  private init?(name: String) throws {
    guard let main = try Adapter.texts(in: name).first(where: { $0.name == name + ".swift" })?.text else { return nil }
    self.name = name
    let head = Adapter.head(of: main)
    summary =
      String(head.first ?? "").replacing(": a template, yours to change.", with: "").trimmingPrefix(" ").description
    manifestItems = Adapter.manifestItems(in: main)
    var files = try Adapter.texts(in: name).map { (path: "\(name)/\($0.name)", text: $0.text) }
    for module in Adapter.imports(in: files.map(\.text)) where module != name {
      files += try Adapter.texts(in: module).map { (path: "\(module)/\($0.name)", text: $0.text) }
    }
    self.files = files
  }

  /// The comment below the license header of a file, as lines without the slashes.
  private static func head(of main: String) -> [Substring] {
    main.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("// Part of swift-ribs") || $0.hasPrefix("// SPDX-") || $0.isEmpty }
      .prefix { $0.hasPrefix("//") }.map { $0.dropFirst(2) }
  }

  /// The items of a manifest in the comment at the top of a file: lines that are indented, beginning with a period.
  ///
  /// - Parameter main: the text of the adapter's main file.
  static func manifestItems(in main: String) -> [ManifestItem] {
    var items: [String] = []
    for line in head(of: main) where line.hasPrefix("   ") {
      let line = line.dropFirst(3)
      if line.hasPrefix(".") || items.isEmpty {
        items.append(String(line))
      } else {
        items[items.count - 1] += "\n\(line)"
      }
    }
    return items.compactMap(ManifestItem.init)
  }

  /// The modules that files import.
  private static func imports(in texts: [String]) -> [String] {
    let lines = texts.flatMap { $0.split(separator: "\n") }
    let modules = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count else { return nil }
      return String(words[index + 1])
    }
    return Set(modules).sorted()
  }

  /// The files of a folder of the library, sorted by name; none if there is no such folder.
  private static func texts(in name: String) throws -> [(name: String, text: String)] {
    let place = folder.appending(path: name)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    return try names.filter { !$0.hasPrefix(".") }.sorted().map { file in
      let path = place.appending(path: file).path
      guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
      else { throw Failure.missing("the template '\(path)' can't be read") }
      return (file, text)
    }
  }
}
