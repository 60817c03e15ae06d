// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The shape of a tree: of each node the parent, numbered in pre-order; the root is 0 and has none.
struct Shape: CustomStringConvertible, Sendable {
  /// The parents of the nodes 1, 2, …
  let parents: [Int]

  var count: Int { parents.count + 1 }
  var description: String { "Shape(parents: \(parents))" }

  func children(of node: Int) -> [Int] { (1..<count).filter { parents[$0 - 1] == node } }

  /// Every rooted ordered tree of the given size: each node is put below the last one, or below one above that.
  static func all(size: Int) -> [Shape] {
    var shapes: [(parents: [Int], lastPath: [Int])] = [([], [0])]
    for node in 1..<max(size, 1) where size > 1 {
      shapes = shapes.flatMap { shape in
        shape.lastPath.indices.map { depth in
          (shape.parents + [shape.lastPath[depth]], Array(shape.lastPath[...depth]) + [node])
        }
      }
    }
    return shapes.map { Shape(parents: $0.parents) }
  }
}
