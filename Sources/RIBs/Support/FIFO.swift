// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A first-in, first-out queue.
///
/// Elements are moved out, so that none is released during an access.
package struct FIFO<Element> {
  private var arriving: [Element] = []
  /// In reverse order: the next element is the last.
  private var leaving: [Element] = []

  package init() {}

  package var isEmpty: Bool { arriving.isEmpty && leaving.isEmpty }

  package var count: Int { arriving.count + leaving.count }

  package mutating func append(_ element: Element) { arriving.append(element) }

  /// Inserts an element before the others.
  package mutating func prepend(_ element: Element) { leaving.append(element) }

  /// The queue without some elements.
  ///
  /// - Complexity: linear in the number of elements.
  package func filter(_ isIncluded: (Element) -> Bool) -> FIFO {
    var result = FIFO()
    result.arriving = leaving.reversed().filter(isIncluded) + arriving.filter(isIncluded)
    return result
  }

  /// - Complexity: linear in the number of elements.
  package func contains(where predicate: (Element) -> Bool) -> Bool {
    leaving.contains(where: predicate) || arriving.contains(where: predicate)
  }

  package mutating func popFirst() -> Element? {
    if leaving.isEmpty {
      leaving = arriving.reversed()
      arriving = []
    }
    return leaving.popLast()
  }
}
