// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes a package with a server of trees: what the third step of the tutorial has, with other names.
public struct NewServer {
  /// The name of the root of each tree.
  public let name: RIBName
  /// The copy of swift-ribs that the package depends on.
  private let repository: URL
  private let template = TemplateLibrary.builtIn.appending(path: "Server")
  /// The paths of the files in the template.
  private let files: [String]

  /// The name of the program, and of the package's folder.
  public var program: String { name.lowerCamel + "Server" }

  /// - Throws: `Failure.usage` if files or types of the server have the name already; `Failure.refused` if the templates are
  ///   not in a copy of swift-ribs, as those of a release.
  public init(name: RIBName) throws {
    self.name = name
    repository = TemplateLibrary.builtIn.deletingLastPathComponent().standardizedFileURL
    let paths = FileManager.default.enumerator(atPath: template.path)?.compactMap { $0 as? String } ?? []
    files = paths.filter { $0.hasSuffix(".swift") }.sorted()
    guard !files.isEmpty else { throw Failure.missing("there is no template 'Server' in \(template.path)") }
    if name.text == "Message" || Set(files.map(renamed)).count < files.count {
      throw Failure.usage("the server has a file or a type '\(name)' already. Use another name")
    }
    guard FileManager.default.fileExists(atPath: repository.appending(path: "Package.swift").path) else {
      throw Failure.refused(
        "'\(repository.path)' has no Package.swift, and the server depends on swift-ribs",
        advice: ["run Scripts/ribs in a copy of swift-ribs"])
    }
  }

  /// Writes the files of the package.
  ///
  /// - Parameter workspace: the folder of the package.
  /// - Returns: notes for the user.
  public func apply(to workspace: Workspace) throws -> [String] {
    for path in files {
      let text = try String(contentsOf: template.appending(path: path), encoding: .utf8)
      let package = "path: \"\(repository.path)\""
      workspace.write(renamed(text).replacing(#"path: "../../..""#, with: package), to: renamed(path))
    }
    return ["Package.swift names this copy of swift-ribs by its path; write its address there to share the package"]
  }

  /// A text of the template with other names, each wherever it occurs in a word.
  private func renamed(_ text: String) -> String {
    text.replacing(/Room|room|Chat|chat/) { match in
      switch match.output {
      case "Room": name.text
      case "room": name.lowerCamel
      case "Chat": name.text + "Server"
      default: program
      }
    }
  }
}
