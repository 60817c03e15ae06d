/// What the RIBs of an order show things on: takes the place of a screen.
///
/// Nobody listens during a replay, and then nothing is put into words either.
final class Narrator {
  private let listener: ((Narration) -> Void)?

  /// - Parameter listener: is told everything; nil if nobody wants to know.
  init(_ listener: ((Narration) -> Void)? = nil) { self.listener = listener }

  func tell(_ narration: @autoclosure () -> Narration) { listener?(narration()) }

  func line(_ text: @autoclosure () -> String) { listener?(.line(text())) }
}
