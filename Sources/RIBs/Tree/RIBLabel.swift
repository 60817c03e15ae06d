// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension RouterNode {
  /// The name of the RIB with its label, as reports print it.
  final var title: String { ribName.labeled(label) }

  /// The longest label, in characters.
  private static let longestLabel = 64

  /// Whether the label must be asked for. Most RIBs have none, and each event has a path.
  final var mayHaveLabel: Bool { !state.hasNoLabel }

  /// The label that the interactor gives the RIB.
  final var wholeLabel: String? { interactorCore?.ribLabel }

  /// The label that the interactor gives the RIB, as it is printed: on one line, and cut off if it is long. Nil if it is
  /// empty.
  ///
  /// Calls user code, which should not change the tree but may, so the caller retains what it continues with.
  package final var label: String? {
    guard mayHaveLabel else { return nil }
    guard let label = wholeLabel, !label.isEmpty else {
      state.foundNoLabel()
      return nil
    }
    let line = label.onOneLine
    guard line.utf8.count > RouterNode.longestLabel, line.count > RouterNode.longestLabel else { return line }
    return line.prefix(RouterNode.longestLabel - 1) + "…"
  }
}

extension String {
  /// The text with its control characters and line separators escaped.
  var onOneLine: String {
    guard unicodeScalars.contains(where: \.breaksLines) else { return self }
    return unicodeScalars.reduce(into: "") { line, scalar in
      line += scalar.breaksLines ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7f...0x9f).contains(value) || (0x2028...0x2029).contains(value)
  }
}
