/// Something that can be ended: a subscription, or anything else that must end with a scope.
///
/// Only `dispose()` has to be written, so the tokens of other libraries conform in one line:
///
/// ```swift
/// extension AnyCancellable: Disposable { public func dispose() { cancel() } }
/// ```
///
/// Everything that binds disposables (`disposeOnDeactivate(interactor:)`, `disposeOnStop(_:)`, `DisposeBag`) releases
/// those that have ended. A token that knows when its subscription is over returns that from `hasEnded`. A token without
/// it is kept until its scope ends.
public protocol Disposable {
  /// Ends it. Calling it again has no effect.
  ///
  /// Disposal is silent: a subscription that is disposed of delivers nothing more, and its `onCompleted` is not called.
  func dispose()

  /// Whether there is nothing left to end: it was disposed of, or its stream has ended and has said so.
  ///
  /// The runtime reads it on the tree while it binds something else. It must be quick. Once true, it stays true. The
  /// default is false.
  var hasEnded: Bool { get }
}

extension Disposable {
  /// False: not known to have ended.
  public var hasEnded: Bool { false }
}
