/// Runs a closure when it is released.
final class Goodbye {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}
