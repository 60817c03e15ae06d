/// Something that can be ended: a subscription, or whatever else is to go when a scope goes.
///
/// It is one method, so that the tokens of other libraries conform in one line:
///
/// ```swift
/// extension AnyCancellable: Disposable { public func dispose() { cancel() } }
/// ```
public protocol Disposable {
  /// Ends it. Ending twice does nothing more.
  func dispose()
}

/// A disposable that knows when it has already ended, so that whoever collects disposables can let go of it.
@usableFromInline
protocol Endable: Disposable {
  var hasEnded: Bool { get }
}
