// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Records the values of a stream.
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
  ///   - reaction: called with each value after it was recorded.
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
    // Released outside the access: the token's `deinit` may use this recorder.
    let ending = subscription
    subscription = nil
    ending?.dispose()
  }

  /// Expects these values since the last expectation, in this order, and no others.
  ///
  /// - Parameters:
  ///   - expected: the values; none to expect no value.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func expect(
    _ expected: Element..., fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Element: Equatable {
    let actual = values
    values = []
    guard expected != actual else { return }
    FailureReporting.report(
      "The stream did not deliver the expected values: \"-\" was not delivered, \"+\" was not expected.\n"
        + "\(Difference(expected: expected.map(textOf), actual: actual.map(textOf)))",
      advice: "Correct the source of the stream, or the expectation.",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
