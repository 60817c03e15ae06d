// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A template that connects trees to another library, such as a log or a database. A folder in `Templates/Adapters`.
public struct Adapter: Hashable, Sendable {
  /// The name of the adapter: of its folder, its target and its main type.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// What the manifest needs: dependencies of the package, and targets. An item may have several lines.
  public let manifestItems: [String]
  /// The files to write, and their paths below the folder that will contain the adapter.
  let files: [(path: String, text: String)]

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
    // Below the license header.
    let head = main.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("// Part of swift-ribs") || $0.hasPrefix("// SPDX-") || $0.isEmpty }
      .prefix { $0.hasPrefix("//") }.map { $0.dropFirst(2) }
    summary =
      String(head.first ?? "").replacing(": a template, yours to change.", with: "").trimmingPrefix(" ").description
    manifestItems = Adapter.items(in: head)
    var files = try Adapter.texts(in: name).map { (path: "\(name)/\($0.name)", text: $0.text) }
    for module in Adapter.imports(in: files.map(\.text)) where module != name {
      files += try Adapter.texts(in: module).map { (path: "\(module)/\($0.name)", text: $0.text) }
    }
    self.files = files
  }

  /// The items of a manifest in the comment at the top of a file: lines that are indented, beginning with a period.
  private static func items(in head: [Substring]) -> [String] {
    var items: [String] = []
    for line in head where line.hasPrefix("   ") {
      let line = line.dropFirst(3)
      if line.hasPrefix(".") || items.isEmpty {
        items.append(String(line))
      } else {
        items[items.count - 1] += "\n\(line)"
      }
    }
    return items
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

/// Writes adapters into a package.
public struct AddAdapters {
  public var adapters: [Adapter]
  /// The folder that will contain a folder for each, relative to the package.
  public var folder: String

  public init(_ adapters: [Adapter], in folder: String) {
    self.adapters = adapters
    self.folder = folder
  }

  /// Writes the files. Refuses to replace one.
  public func apply(to workspace: Workspace) throws {
    var files: [String: String] = [:]
    for file in adapters.flatMap(\.files) { files[folder.isEmpty ? file.path : "\(folder)/\(file.path)"] = file.text }
    for path in files.keys.sorted() where workspace.exists(path) {
      throw Failure.refused("there is a file '\(path)'")
    }
    let sources = files.filter { $0.key.hasSuffix(".swift") }.sorted { $0.key < $1.key }
    // Adapters may have files of the same name.
    let texts = try Formatter.laidOut(
      sources.map { ($0.key.replacing("/", with: "-"), $0.value) }, near: workspace.root)
    for (file, text) in zip(sources, texts) { files[file.key] = text }
    for (path, text) in files { workspace.writeNew(text, to: path) }
  }

  /// What to write into the manifest by hand, as text.
  public var manifestLines: String {
    var items: [String] = []
    for item in adapters.flatMap(\.manifestItems) where !items.contains(item) { items.append(item) }
    let packages = items.filter { $0.hasPrefix(".package(") }
    let targets = items.filter { !$0.hasPrefix(".package(") }
    var text = ""
    if !packages.isEmpty { text += "Add to the dependencies of the package in Package.swift:\n\n" + listed(packages) }
    if !targets.isEmpty {
      text += (text.isEmpty ? "" : "\n") + "Add to the targets in Package.swift:\n\n" + listed(targets)
    }
    return text
  }

  private func listed(_ items: [String]) -> String {
    items.map { "  " + $0.replacing("\n", with: "\n  ") + "\n" }.joined()
  }
}
