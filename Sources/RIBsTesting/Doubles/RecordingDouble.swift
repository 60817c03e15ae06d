// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The base class of test doubles. It records calls.
///
/// Subclass one of the doubles of this kit, conform to the protocol of the part, and record each call:
///
/// ```swift
/// final class TimelineListenerDouble: ListenerDouble, TimelineListener {
///   func timelineDidOpen(_ tweet: Tweet) { record(tweet) }
/// }
/// ```
///
/// With a transcript, the calls appear in it among the events of the tree and have to be expected:
/// `TimelineListener.timelineDidOpen(Tweet(id: 1))`. The double is named after its type, without a `Double` suffix.
open class RecordingDouble {
  /// A recorded call.
  public struct Call: CustomStringConvertible {
    /// The function with its argument labels: `didPick(_:at:)`.
    public let function: String
    /// The arguments, in order. An interactor or a router is nil after it was released: a double that retained it would
    /// keep the RIB alive whose dependency it is.
    public var arguments: [Any?] { recorded.map(\.value) }
    /// The call as source code, as it was when it was recorded: `didPick("Airport", at: 3)`.
    public let description: String
    private let recorded: [Argument]

    init(_ function: String, _ arguments: [Any?]) {
      self.function = function
      recorded = arguments.map(Argument.init)
      guard let parenthesis = function.firstIndex(of: "(") else {
        description = function
        return
      }
      let labels = function[parenthesis...].dropFirst().dropLast().split(separator: ":").map(String.init)
      let texts = arguments.enumerated().map { index, argument in
        let label = index < labels.count ? labels[index] : "_"
        return (label == "_" ? "" : label + ": ") + textOf(argument as Any)
      }
      description = function[..<parenthesis] + "(" + texts.joined(separator: ", ") + ")"
    }
  }

  private enum Argument {
    case scope(WeakReference)
    case other(Any?)

    init(_ argument: Any?) {
      switch argument {
      case let scope as any InteractorScope: self = .scope(WeakReference(object: scope))
      case let scope as any RouterScope: self = .scope(WeakReference(object: scope))
      default: self = .other(argument)
      }
    }

    var value: Any? {
      switch self {
      case .scope(let scope): scope.object
      case .other(let value): value
      }
    }
  }

  /// The transcript that calls are recorded in, if any.
  public final let transcript: Transcript?

  /// The calls since the last expectation, in order.
  public private(set) final var calls: [Call] = []

  /// Creates a double.
  ///
  /// - Parameter transcript: the transcript that calls are recorded in, usually that of a `TestTree`. Without one,
  ///   they are in `calls` only.
  public init(in transcript: Transcript? = nil) { self.transcript = transcript }

  /// The name of the double in transcripts.
  public final var name: String {
    let type = String(describing: type(of: self))
    return type.hasSuffix("Double") && type != "Double" ? String(type.dropLast("Double".count)) : type
  }

  /// Records the call of the calling function.
  ///
  /// - Parameters:
  ///   - arguments: the arguments of that function, in order. Trailing arguments may be omitted.
  ///   - function: Defaults to the calling function.
  public final func record(_ arguments: Any?..., function: String = #function) {
    add(Call(function, arguments))
  }

  final func add(_ call: Call) {
    calls.append(call)
    transcript?.write("\(name).\(call)", if: .calls)
  }

  /// Records a call without writing it to the transcript, where the tree's events show it already.
  final func note(_ arguments: Any?..., function: String = #function) {
    calls.append(Call(function, arguments))
  }

  /// Expects these calls since the last expectation, in this order, and no others.
  ///
  /// ```swift
  /// listener.expect("timelineDidOpen(Tweet(id: 1))")
  /// ```
  ///
  /// - Parameters:
  ///   - expected: the calls as source code; none to expect no call.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
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
      advice: "Correct the caller, or the expectation.",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
