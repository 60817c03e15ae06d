/// A first-in, first-out queue.
///
/// Elements are moved out, so that none is released while the queue is changed.
struct FIFO<Element> {
  private var arriving: [Element] = []
  /// The next one at the end.
  private var leaving: [Element] = []

  var isEmpty: Bool { arriving.isEmpty && leaving.isEmpty }

  mutating func append(_ element: Element) { arriving.append(element) }

  mutating func popFirst() -> Element? {
    if leaving.isEmpty {
      leaving = arriving.reversed()
      arriving = []
    }
    return leaving.popLast()
  }
}
