/// What waits for its turn, first come, first served.
///
/// What has had its turn is moved out, so that nothing is ever released while the line is being changed.
struct WaitingLine<Element> {
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
