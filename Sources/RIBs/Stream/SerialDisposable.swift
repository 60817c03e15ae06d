/// Holds one disposable at a time: replacing it disposes of the previous one.
///
/// Once this is disposed of, everything that it is given is disposed of at once.
final class SerialDisposable: Disposable {
  private enum State {
    case empty
    case holding(any Disposable)
    case ended
  }

  private var state = State.empty

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  func set(_ disposable: any Disposable) {
    let previous = state
    if case .ended = previous { return disposable.dispose() }
    state = .holding(disposable)
    if case .holding(let last) = previous { last.dispose() }
    withExtendedLifetime(previous) {}
  }

  func dispose() {
    let previous = state
    state = .ended
    if case .holding(let last) = previous { last.dispose() }
    withExtendedLifetime(previous) {}
  }
}
