/// Makes disposables.
public enum Disposables {
  /// A disposable that does nothing, and has ended.
  public static func create() -> any Disposable { EmptyDisposable() }

  /// A disposable that runs a closure, once.
  ///
  /// - Parameter dispose: runs at the first `dispose()`, and is released after that.
  public static func create(with dispose: @escaping () -> Void) -> any Disposable { ActionDisposable(dispose) }

  /// A disposable that ends several, in the order given. It has ended when all of them have.
  public static func create(_ disposables: any Disposable...) -> any Disposable { CompositeDisposable(disposables) }
}

@usableFromInline
struct EmptyDisposable: Disposable {
  @inlinable
  init() {}

  @inlinable var hasEnded: Bool { true }

  @inlinable
  func dispose() {}
}

final class ActionDisposable: Disposable {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  var hasEnded: Bool { action == nil }

  func dispose() {
    guard let action else { return }
    self.action = nil
    action()
  }
}

final class CompositeDisposable: Disposable {
  /// Empty once disposed of.
  private var parts: [any Disposable]

  init(_ parts: [any Disposable]) { self.parts = parts }

  var hasEnded: Bool {
    let parts = parts
    return parts.allSatisfy { $0.hasEnded }
  }

  func dispose() {
    let ending = parts
    parts = []
    for part in ending { part.dispose() }
  }
}
