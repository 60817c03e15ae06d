// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension TreeSnapshot {
  /// A subtree: a RIB and its descendants.
  ///
  /// ```swift
  /// let order = snapshot.subtree("LoggedIn/Order")
  /// print(order?.text() ?? "There is no order.")
  /// ```
  ///
  /// - Parameter place: the RIB's id, `#12`, or a suffix of its path: `Order`, `LoggedIn/Order`,
  ///   `Root/LoggedIn/Order`. A name may be followed by the label of the RIB: `Room swift`. If several RIBs match, the
  ///   first in pre-order.
  /// - Returns: the subtree, whose root is that RIB; nil if there is no such RIB.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func subtree(_ place: String) -> TreeSnapshot? {
    let id = place.first == "#" ? UInt64(place.dropFirst()) : nil
    let names = place.split(separator: "/", omittingEmptySubsequences: false).reversed()
    let found = nodes.indices.first { index in
      if let id, nodes[index].id?.rawValue == id { return true }
      var next: Int? = index
      for name in names {
        guard let index = next, nodes[index].name == name || nodes[index].title == name else { return false }
        next = nodes[index].parent
      }
      return true
    }
    guard let first = found else { return nil }
    // In pre-order, its descendants follow it until a RIB whose parent precedes it.
    let end = nodes[(first + 1)...].firstIndex { ($0.parent ?? -1) < first } ?? nodes.endIndex
    let part = nodes[first..<end].enumerated().map { position, node in
      node.moved(below: position == 0 ? nil : node.parent.map { $0 - first })
    }
    return TreeSnapshot(nodes: part, name: name, labels: labels, wallTime: wallTime)
  }

  /// The tree down to a given number of levels below the root.
  func cut(toDepth depth: Int?) -> TreeSnapshot {
    guard depth != nil else { return self }
    let lines = TreeOutline(of: nodes, depth: depth).lines
    var positions: [Int: Int] = [:]
    for (position, line) in lines.enumerated() { positions[line.index] = position }
    return TreeSnapshot(
      nodes: lines.map { line in
        let node = nodes[line.index]
        return node.moved(below: node.parent.flatMap { positions[$0] })
      }, name: name, labels: labels, wallTime: wallTime)
  }
}
