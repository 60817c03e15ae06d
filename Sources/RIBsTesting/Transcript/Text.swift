/// A value as transcripts show it: a text in quotation marks, an object that does not describe itself by its type, and
/// everything else by what it says of itself.
func textOf(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { textOf($0.value) } ?? "nil" }
  if let text = value as? String { return String(reflecting: text) }
  if mirror.displayStyle == .class, !(value is any CustomStringConvertible) {
    return String(describing: type(of: value))
  }
  return String(describing: value)
}
