// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

/// The names of the targets of an Xcode project.
struct XcodeProject {
  private let targets: Set<String>

  /// Reads the `project.pbxproj` of an Xcode project.
  init(_ text: String) {
    var targets: Set<String> = []
    var isTarget = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.hasPrefix("isa = ") { isTarget = line.hasSuffix("Target;") }
      guard isTarget, line.hasPrefix("name = ") else { continue }
      targets.insert(line.dropFirst(7).trimmingCharacters(in: CharacterSet(charactersIn: "\"; ")))
    }
    self.targets = targets
  }

  /// The module of a file: the target with the name of its innermost folder that has one; empty if there is none.
  ///
  /// - Parameter path: the path of the file, relative to the project.
  func module(of path: String) -> String {
    let folder = path.split(separator: "/").dropLast().last { targets.contains(String($0)) }
    return folder.map { PackageModel.moduleName(String($0)) } ?? ""
  }
}
