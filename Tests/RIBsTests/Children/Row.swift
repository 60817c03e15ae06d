// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The model of a row: its number is its identity, and its text may change.
struct Row: Identifiable, Equatable, ExpressibleByIntegerLiteral {
  let id: Int
  var text = ""

  init(_ id: Int, _ text: String = "") {
    self.id = id
    self.text = text
  }

  init(integerLiteral value: Int) { self.init(value) }
}
