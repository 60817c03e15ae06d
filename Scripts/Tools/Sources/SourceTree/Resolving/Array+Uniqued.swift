// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Array where Element: Hashable {
  /// The elements without duplicates, in the order of their first occurrences.
  func uniqued() -> [Element] {
    if count < 2 { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
