public import RIBs

/// Writes down what a stream delivers.
///
/// ```swift
/// let prices = StreamRecorder(interactor.price)
/// relay.accept(12)
/// prices.expect(10, 12)
/// ```
public final class StreamRecorder<Element> {
  /// The values since the last expectation, in order.
  public private(set) var values: [Element] = []
  /// Whether the stream has ended.
  public private(set) var hasEnded = false
  private var subscription: (any Disposable)?

  /// Subscribes to a stream, until it ends or this is released.
  ///
  /// - Parameters:
  ///   - stream: a relay or an observable.
  ///   - reaction: called with each value after it was written down: for what is to happen while the stream delivers.
  public init<Stream: ObservableType>(
    _ stream: Stream, reaction: @escaping (Element) -> Void = { _ in }
  ) where Stream.Element == Element {
    subscription = stream.subscribe(
      onNext: { [weak self] value in
        self?.values.append(value)
        reaction(value)
      },
      onCompleted: { [weak self] in self?.hasEnded = true })
  }

  deinit { stop() }

  /// Ends the subscription.
  public func stop() {
    // Released when the access is over: a token of the user may use this while it is released.
    let ending = subscription
    subscription = nil
    ending?.dispose()
  }

  /// Expects these values since the last expectation, in this order, and no others.
  ///
  /// - Parameters:
  ///   - expected: the values; none if the stream is to have been silent.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func expect(
    _ expected: Element..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Element: Equatable {
    let actual = values
    values = []
    guard expected != actual else { return }
    FailureReporting.report(
      "The stream did not deliver what was expected: \"-\" did not come, \"+\" was not expected.\n"
        + "\(Difference(expected: expected.map(textOf), actual: actual.map(textOf)))",
      advice: "Correct who feeds the stream, or the expectation.",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
