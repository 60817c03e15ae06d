/// A first-in, first-out queue.
///
/// Elements are moved out, so that none is released during an access.
package struct FIFO<Element> {
  private var arriving: [Element] = []
  /// In reverse order: the next element is the last.
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
