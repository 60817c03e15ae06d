/// Stands in for a part that a test is not about, and writes down what it is told.
///
/// Subclass one of the doubles of this kit, conform to the protocol of the part, and record each call:
///
/// ```swift
/// final class TimelineListenerDouble: ListenerDouble, TimelineListener {
///   func timelineDidOpen(_ tweet: Tweet) { record(tweet) }
/// }
/// ```
///
/// With a transcript, the calls stand there among what the tree does, and have to be expected:
/// `TimelineListener.timelineDidOpen(Tweet(id: 1))`. The double is named after its type, without `Double` at the end.
open class RecordingDouble {
  /// A call that a double was told of.
  public struct Call: CustomStringConvertible {
    /// The name of the function with those of its parameters: `didPick(_:at:)`.
    public let function: String
    /// What it was given.
    public let arguments: [Any?]

    /// The call as it would be written: `didPick("Airport", at: 3)`.
    public var description: String {
      guard let parenthesis = function.firstIndex(of: "(") else { return function }
      let labels = function[parenthesis...].dropFirst().dropLast().split(separator: ":").map(String.init)
      let texts = arguments.enumerated().map { index, argument in
        let label = index < labels.count ? labels[index] : "_"
        return (label == "_" ? "" : label + ": ") + textOf(argument as Any)
      }
      return function[..<parenthesis] + "(" + texts.joined(separator: ", ") + ")"
    }
  }

  /// Where the calls are written to.
  public final let transcript: Transcript?

  /// The calls since the last expectation, in order.
  public private(set) final var calls: [Call] = []

  /// Creates a double.
  ///
  /// - Parameter transcript: where the calls are written to, usually the `transcript` of a `TestTree`; without one, they
  ///   are in `calls` only.
  public init(in transcript: Transcript? = nil) { self.transcript = transcript }

  /// What the double is called in transcripts.
  public final var name: String {
    let type = String(describing: type(of: self))
    return type.hasSuffix("Double") && type != "Double" ? String(type.dropLast("Double".count)) : type
  }

  /// Writes down that the calling function was called.
  ///
  /// - Parameters:
  ///   - arguments: what it was given, in the order of its parameters. Those that a test is not about may be left out
  ///     from the end.
  ///   - function: leave out.
  public final func record(_ arguments: Any?..., function: String = #function) {
    add(Call(function: function, arguments: arguments))
  }

  final func add(_ call: Call) {
    calls.append(call)
    transcript?.write("\(name).\(call)", if: .calls)
  }

  /// Writes down a call that the tree's own events tell of.
  final func note(_ arguments: Any?..., function: String = #function) {
    calls.append(Call(function: function, arguments: arguments))
  }

  /// Expects these calls since the last expectation, in this order, and no others.
  ///
  /// ```swift
  /// listener.expect("timelineDidOpen(Tweet(id: 1))")
  /// ```
  ///
  /// - Parameters:
  ///   - expected: the calls as they would be written; none for no call.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public final func expect(
    _ expected: String..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let actual = calls.map(\.description)
    calls = []
    guard expected != actual else { return }
    FailureReporting.report(
      "\(name) was not called as expected: \"-\" was not called, \"+\" was not expected.\n"
        + "\(Difference(expected: expected, actual: actual))",
      advice: "Correct who calls it, or the expectation.",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
