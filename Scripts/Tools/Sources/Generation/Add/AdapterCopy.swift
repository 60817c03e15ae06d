// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

/// A folder of an adapter that was copied into a package, and the record of what was copied.
///
/// The record is the hidden folder `.ribs-template` in it, with the files as the template had them. It moves with the
/// folder, and compilers and formatters ignore it.
struct AdapterCopy {
  /// The name of the folder with the record.
  static let recordName = ".ribs-template"

  /// The text that explains the record to those who find it.
  private static let explanation = """
    These are the files of the folder above as 'ribs add' has copied them. 'ribs add --update' compares with them, so that
    it knows what you have changed and what the template has. Keep them in your repository, and don't edit them.

    """

  let workspace: Workspace
  /// The path of the folder, relative to the package.
  let folder: String

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func recordPath(_ name: String) -> String { "\(folder)/\(AdapterCopy.recordName)/\(name)" }

  /// The text of a file; nil if there is none.
  func text(_ name: String) throws -> String? { try text(at: path(name)) }

  /// The text of a file as it was copied; nil if the record has none.
  func recorded(_ name: String) throws -> String? { try text(at: recordPath(name)) }

  /// The names of the files in the record; nil without a record.
  var recordedNames: [String]? {
    let url = workspace.root.appending(path: "\(folder)/\(AdapterCopy.recordName)")
    let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    return names?.filter { $0 != "README" && !$0.hasPrefix(".") }.sorted()
  }

  /// Writes into the record that a file was copied.
  ///
  /// - Parameter text: the text of the template; nil if the template has no such file.
  func record(_ text: String?, as name: String) throws {
    let path = recordPath(name)
    if let text {
      if try recorded(name) != text { workspace.write(text, to: path) }
      if !workspace.exists(recordPath("README")) { workspace.write(AdapterCopy.explanation, to: recordPath("README")) }
    } else if workspace.exists(path) {
      try workspace.delete(path)
    }
  }

  private func text(at path: String) throws -> String? {
    guard workspace.exists(path) else { return nil }
    guard let text = String(validating: try workspace.data(at: path), as: UTF8.self) else {
      throw Failure.refused("'\(path)' is not text in UTF-8")
    }
    return text
  }
}

extension Plan {
  /// Whether a file belongs to the record of a copied adapter.
  static func isRecord(_ path: String) -> Bool { path.contains("/\(AdapterCopy.recordName)/") }
}
