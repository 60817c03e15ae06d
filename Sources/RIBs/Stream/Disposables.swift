/// Makes disposables.
public enum Disposables {
  /// A disposable that does nothing.
  public static func create() -> any Disposable { EmptyDisposable() }

  /// A disposable that runs a closure, once.
  ///
  /// - Parameter dispose: runs at the first `dispose()` and is released then.
  public static func create(with dispose: @escaping () -> Void) -> any Disposable { ActionDisposable(dispose) }

  /// A disposable that ends several, in the order given.
  public static func create(_ disposables: any Disposable...) -> any Disposable {
    ActionDisposable { for disposable in disposables { disposable.dispose() } }
  }
}

@usableFromInline
struct EmptyDisposable: Endable {
  @inlinable
  init() {}

  @inlinable var hasEnded: Bool { true }

  @inlinable
  func dispose() {}
}

final class ActionDisposable: Endable {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  var hasEnded: Bool { action == nil }

  func dispose() {
    guard let action else { return }
    self.action = nil
    action()
  }
}
