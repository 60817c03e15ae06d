/// Receives the values of a stream, and its end.
public struct AnyObserver<Element> {
  let next: (Element) -> Void
  let completed: (() -> Void)?

  init(next: @escaping (Element) -> Void, completed: (() -> Void)? = nil) {
    self.next = next
    self.completed = completed
  }

  /// Delivers a value.
  public func onNext(_ element: Element) { next(element) }

  /// Delivers the end: nothing comes after it.
  public func onCompleted() { completed?() }
}
