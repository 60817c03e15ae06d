/// Holds disposables, and disposes of them when it is released.
///
/// Use it in objects that have no lifecycle of their own, such as presenters. What belongs to an interactor is better
/// bound with `disposeOnDeactivate(interactor:)`.
public final class DisposeBag {
  private var held = DisposableList()

  /// Creates an empty bag.
  public init() {}

  /// Adds a disposable, which ends with the bag. The last added is disposed of first.
  ///
  /// - Complexity: amortized O(1). Disposables that have ended by themselves are released.
  public func insert(_ disposable: any Disposable) {
    held.append(disposable)
    guard let sweep = held.beginSweep() else { return }
    let live = sweep.findLive()
    held.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  deinit { held.removeAll().disposeAll() }
}

extension Disposable {
  /// Ends this when the bag is released.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}
