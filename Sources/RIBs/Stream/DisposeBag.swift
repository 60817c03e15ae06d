/// Holds disposables and ends them when it is released.
///
/// For objects that have no lifecycle of their own, such as presenters. What belongs to an interactor is better bound
/// with `disposeOnDeactivate(interactor:)`.
public final class DisposeBag {
  private var held = DisposableList()

  /// Creates an empty bag.
  public init() {}

  /// Adds a disposable, which ends with the bag.
  ///
  /// - Complexity: amortised O(1); what has ended by itself is let go of.
  public func insert(_ disposable: any Disposable) {
    let swept = held.append(disposable)
    withExtendedLifetime(swept) {}
  }

  deinit { held.removeAll().disposeAll() }
}

extension Disposable {
  /// Ends this when the bag is released.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}
