// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
  /// Delivers the values that satisfy a predicate.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Observable<Element> {
    lift { deliver in { element in if isIncluded(element) { deliver(element) } } }
  }

  /// Delivers a value unless a closure considers it equal to the previous one.
  @inlinable
  public func distinctUntilChanged(_ areEqual: @escaping (Element, Element) -> Bool) -> Observable<Element> {
    lift { deliver in
      let last = Latest<Element?>(nil)
      return { element in
        if let delivered = last.value, areEqual(delivered, element) { return }
        let previous = last.exchange(element)
        deliver(element)
        withExtendedLifetime(previous) {}
      }
    }
  }

  /// Skips the first values.
  ///
  /// - Parameter count: the number of values to skip; none if not positive.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    lift { deliver in
      var left = count
      return { element in if left > 0 { left -= 1 } else { deliver(element) } }
    }
  }
}

extension ObservableType where Element: Equatable {
  /// Delivers a value unless it equals the previous one.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> { distinctUntilChanged(==) }
}
