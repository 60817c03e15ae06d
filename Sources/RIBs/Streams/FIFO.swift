/// A first-in, first-out queue.
///
/// Elements are moved out, so that none is released while the queue is changed.
package struct FIFO<Element> {
  private var arriving: [Element] = []
  /// The next one at the end.
  private var leaving: [Element] = []

  package init() {}

  package var isEmpty: Bool { arriving.isEmpty && leaving.isEmpty }

  package mutating func append(_ element: Element) { arriving.append(element) }

  package mutating func popFirst() -> Element? {
    if leaving.isEmpty {
      leaving = arriving.reversed()
      arriving = []
    }
    return leaving.popLast()
  }
}
