import RIBs

/// Writes down what a stream delivers.
final class Listener<Element> {
  private(set) var heard: [String] = []
  private var subscription: (any Disposable)?

  /// - Parameter reaction: called after each value is written down.
  init(_ stream: some ObservableType<Element>, reaction: ((Element) -> Void)? = nil) {
    subscription = stream.subscribe(
      onNext: { [unowned self] element in
        self.heard.append("\(element)")
        reaction?(element)
      },
      onCompleted: { [unowned self] in self.heard.append("|") })
  }

  /// The whole transcript: values, and `|` for the end.
  var text: String { heard.joined(separator: " ") }

  func dispose() { subscription?.dispose() }

  deinit { subscription?.dispose() }
}
