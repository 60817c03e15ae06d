/// The options of `taxi replay`.
struct ReplayOptions: Hashable, Sendable {
  /// The trip file; `-` for standard input.
  var path: String
  var series = SeriesOptions()

  init(path: String) { self.path = path }

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: SeriesOptions.known, topic: .replay)
    var paths: [String] = []
    while let item = try scanner.next() {
      switch item {
      case .option(let option, let value): try series.take(option, value, see: .replay)
      case .operand(let path): paths.append(path)
      }
    }
    guard let path = paths.first else {
      throw UsageError("'replay' needs a trip file, or '-' for standard input", see: .replay)
    }
    guard paths.count == 1 else {
      throw UsageError("'replay' takes one trip file, not \(paths.count)", see: .replay)
    }
    self.path = path
  }
}
