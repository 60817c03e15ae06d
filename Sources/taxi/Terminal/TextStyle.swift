// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Terminal colors for parts of a text.
struct TextStyle: Hashable, Sendable {
  let usesColor: Bool

  func heading(_ text: String) -> String { wrapped(text, "1;36") }
  func added(_ text: String) -> String { wrapped(text, "32") }
  func removed(_ text: String) -> String { wrapped(text, "31") }
  func faint(_ text: String) -> String { wrapped(text, "2") }

  private func wrapped(_ text: String, _ code: String) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
