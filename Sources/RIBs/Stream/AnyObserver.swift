/// Receives the values of a stream, and its end.
public struct AnyObserver<Element> {
  @usableFromInline let next: (Element) -> Void
  @usableFromInline let completed: (() -> Void)?

  @inlinable
  init(next: @escaping (Element) -> Void, completed: (() -> Void)? = nil) {
    self.next = next
    self.completed = completed
  }

  /// Delivers a value.
  @inlinable
  public func onNext(_ element: Element) { next(element) }

  /// Delivers the end: nothing comes after it.
  @inlinable
  public func onCompleted() { completed?() }
}
