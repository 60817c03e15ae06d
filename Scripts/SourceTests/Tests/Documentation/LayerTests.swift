// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The layers of the runtime")
struct LayerTests {
  /// The layers from the lowest to the highest.
  private static let layers: [(name: String, folders: [String])] = [
    ("support", ["Support", "Time"]),
    ("streams", ["Streams"]),
    ("kernel", ["Dependency", "Builder", "Interactor", "Router", "Tree"]),
    ("tasks", ["Tasks", "Isolation", "Turns", "Worker"]),
    ("children", ["Children", "Supervision"]),
    ("observation", ["Observation"]),
    ("saving", ["Saving"]),
    ("top", ["Workflow", "OneWay", "Plugins"]),
    ("host", ["Host"]),
  ]

  @Test("belong to each source file, and name no types of higher layers")
  func uses() throws {
    let files = try Self.files()
    #expect(files.count > 90)
    var layerOfType: [String: Int] = [:]
    for file in files {
      for line in file.lines { if let type = Self.declaredType(line.text) { layerOfType[type] = file.layer } }
    }
    #expect(layerOfType["Router"] == 2 && layerOfType["TreeSaver"] == 6)
    var uses: [String] = []
    for file in files {
      for line in file.lines {
        for name in Self.typeNames(in: line.text) {
          guard let other = layerOfType[name], other > file.layer else { continue }
          uses.append(
            "\(file.path):\(line.number): \(name) is of the layer \(Self.layers[other].name), above "
              + Self.layers[file.layer].name)
        }
      }
    }
    #expect(uses.isEmpty, "Move what names these types up, or the types down:\n\(uses.joined(separator: "\n"))")
  }

  @Test("finds declared types and used ones")
  func scan() {
    #expect(Self.declaredType("@usableFromInline package final class TreeSaver: TreePart {") == "TreeSaver")
    #expect(Self.declaredType("public struct TreeSnapshot: Sendable, Hashable, Codable {") == "TreeSnapshot")
    #expect(Self.declaredType("private final class TreeReaders: TreePart {") == nil)
    #expect(Self.declaredType("  struct Nested {") == nil)
    #expect(Self.declaredType("/// enum Sample {") == nil)
    #expect(Self.typeNames(in: #"let a: [Tree.Kind] = ["Text"]  // Comment"#) == ["Tree", "Kind"])
  }

  private struct File {
    let path: String
    let layer: Int
    let lines: [(number: Int, text: String)]
  }

  private static func files() throws -> [File] {
    let folder = Sample.root.appendingPathComponent("Sources/RIBs")
    return try Sample.files(in: "Sources/RIBs", "swift").map { url in
      let path = String(url.path.dropFirst(folder.path.count + 1))
      let name = path.components(separatedBy: "/")[0]
      let layer = try #require(layers.firstIndex { $0.folders.contains(name) }, "\(path) is in no layer.")
      let text = try String(contentsOf: url, encoding: .utf8)
      return File(
        path: path, layer: layer,
        lines: text.components(separatedBy: "\n").enumerated().map { ($0.offset + 1, $0.element) })
    }
  }

  /// The type that a line of a file declares at the top; nil for a private one, which only its file can name.
  private static func declaredType(_ line: String) -> String? {
    guard let start = line.first, start != " ", start != "/" else { return nil }
    var words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" && $0 != "(" && $0 != ")" }[...]
    let kinds = ["class", "struct", "enum", "protocol", "actor", "typealias"]
    let modifiers = ["public", "package", "internal", "open", "final", "indirect"]
    while let word = words.first, word.hasPrefix("@") || modifiers.contains(String(word)) { words.removeFirst() }
    guard let kind = words.popFirst(), kinds.contains(String(kind)) else { return nil }
    return words.first.map(String.init)
  }

  /// The words of a line that begin with a capital letter, each once, without comments and texts.
  private static func typeNames(in line: String) -> [String] {
    var code = ""
    for (index, part) in line.components(separatedBy: "\"").enumerated() where index.isMultiple(of: 2) {
      code += part + " "
    }
    if let comment = code.range(of: "//") { code = String(code[..<comment.lowerBound]) }
    var names: [String] = []
    for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
      guard word.first?.isUppercase == true, !names.contains(String(word)) else { continue }
      names.append(String(word))
    }
    return names
  }
}
