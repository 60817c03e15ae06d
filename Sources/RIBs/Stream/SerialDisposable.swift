/// Holds one disposable at a time: setting another ends the one before, and ending this ends whatever it holds or gets.
final class SerialDisposable: Endable {
  @exclusivity(unchecked) private var current: (any Disposable)?
  @exclusivity(unchecked) private(set) var hasEnded = false

  func set(_ disposable: any Disposable) {
    guard !hasEnded else { return disposable.dispose() }
    let previous = current
    current = disposable
    previous?.dispose()
  }

  func dispose() {
    guard !hasEnded else { return }
    hasEnded = true
    let last = current
    current = nil
    last?.dispose()
  }
}
