// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Finds cycles in a directed graph.
enum Circles {
  /// One cycle for each strongly connected component, in the order of its edges, starting at its lowest node.
  ///
  /// - Parameter children: the successors of each node.
  /// - Complexity: linear in the number of edges, plus the length of the cycles.
  static func find(_ children: [[Int]]) -> [[Int]] {
    components(children).compactMap { component in
      guard let start = component.min() else { return nil }
      return path(from: start, within: Set(component), children)
    }.sorted { $0[0] < $1[0] }
  }

  /// The shortest path from a node back to itself.
  private static func path(from start: Int, within component: Set<Int>, _ children: [[Int]]) -> [Int]? {
    var previous: [Int: Int] = [:]
    var open = [start]
    var next = 0
    while next < open.count {
      let node = open[next]
      next += 1
      for child in children[node] where component.contains(child) {
        if child == start {
          var path = [node]
          while let before = previous[path[0]], path[0] != start { path.insert(before, at: 0) }
          return path
        }
        if previous[child] == nil {
          previous[child] = node
          open.append(child)
        }
      }
    }
    return nil
  }

  /// The strongly connected components, by Tarjan's algorithm without recursion.
  private static func components(_ children: [[Int]]) -> [[Int]] {
    var number = Array(repeating: -1, count: children.count)
    var low = number
    var isOpen = Array(repeating: false, count: children.count)
    var stack: [Int] = []
    var counter = 0
    var found: [[Int]] = []
    for root in children.indices where number[root] < 0 {
      var calls = [(node: root, next: 0)]
      while let call = calls.last {
        let node = call.node
        if call.next == 0 {
          number[node] = counter
          low[node] = counter
          counter += 1
          stack.append(node)
          isOpen[node] = true
        }
        if call.next < children[node].count {
          calls[calls.count - 1].next += 1
          let child = children[node][call.next]
          if number[child] < 0 {
            calls.append((child, 0))
          } else if isOpen[child] {
            low[node] = min(low[node], number[child])
          }
          // Visits the node again once it has no children left.
          continue
        }
        calls.removeLast()
        if let parent = calls.last?.node { low[parent] = min(low[parent], low[node]) }
        guard low[node] == number[node] else { continue }
        var component: [Int] = []
        while let last = stack.popLast() {
          isOpen[last] = false
          component.append(last)
          if last == node { break }
        }
        found.append(component)
      }
    }
    return found
  }
}
