// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// The copies of an app in several folders, such as the steps of a tutorial. Types of one copy are not visible in another.
struct Copies {
  /// The folders of each file.
  private let folders: [[Substring]]
  /// The pairs of folders that contain copies of each other.
  private var pairs: Set<Pair> = []

  private struct Pair: Hashable {
    /// The folder that contains both.
    let parent: [Substring]
    /// The names of both, sorted.
    let names: [Substring]
  }

  /// - Parameter folders: the folders of each file.
  init(_ files: [FileFacts], folders: [[Substring]]) {
    self.folders = folders
    var owners: [String: Set<Int>] = [:]
    for (file, facts) in files.enumerated() {
      for type in facts.types where type.kind == .class || type.kind == .protocol {
        // Types named only by their role have the same names in all modules.
        guard type.path.count == 1, BuilderNames.hasRole(type.name) else { continue }
        owners[type.name, default: []].insert(file)
      }
    }
    var shared: [Pair: Set<String>] = [:]
    for (name, files) in owners where files.count > 1 && files.count <= 32 {
      let files = files.sorted()
      for (position, one) in files.enumerated() {
        for other in files[(position + 1)...] {
          if let pair = pair(one, other) { shared[pair, default: []].insert(name) }
        }
      }
    }
    for (pair, names) in shared where names.count >= 4 {
      let sizes = pair.names.map { name in
        let folder = pair.parent + [name]
        return owners.values.count { $0.contains { folders[$0].starts(with: folder) } }
      }
      // A copy has most of the smaller one's types; modules that only share an example app do not.
      if let least = sizes.min(), names.count * 10 >= least * 6 { pairs.insert(pair) }
    }
  }

  /// Whether two files are in different copies.
  func areSeparate(_ one: Int, _ other: Int) -> Bool {
    if pairs.isEmpty || one == other { return false }
    return pair(one, other).map(pairs.contains) ?? false
  }

  /// The folders in which the paths of two files diverge; nil if one of the files is in their common folder.
  private func pair(_ one: Int, _ other: Int) -> Pair? {
    let common = zip(folders[one], folders[other]).prefix { $0 == $1 }.count
    guard common < folders[one].count, common < folders[other].count else { return nil }
    return Pair(
      parent: Array(folders[one][..<common]), names: [folders[one][common], folders[other][common]].sorted())
  }
}
