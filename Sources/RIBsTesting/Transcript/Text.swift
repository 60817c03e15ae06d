// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A value as transcripts show it: strings in quotation marks, objects without a description by their type, and
/// everything else by its description.
func textOf(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { textOf($0.value) } ?? "nil" }
  if let text = value as? String { return String(reflecting: text) }
  if mirror.displayStyle == .class, !(value is any CustomStringConvertible) {
    return String(describing: type(of: value))
  }
  return String(describing: value)
}
