// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The paths of a snapshot's RIBs.
struct TreePaths {
  /// The maximum number of names in a path.
  private static let limit = 64

  private let nodes: [TreeSnapshot.Node]

  init(_ nodes: [TreeSnapshot.Node]) { self.nodes = nodes }

  subscript(index: Int) -> String {
    var names: [String] = []
    var next: Int? = index
    while let index = next, names.count < TreePaths.limit {
      names.append(nodes[index].title)
      next = nodes[index].parent
    }
    return (next == nil ? "" : "…/") + names.reversed().joined(separator: "/")
  }
}
