/// Where one `shared` declaration of one component keeps its instance.
@usableFromInline
struct SharedSlot {
  @usableFromInline let line: UInt
  @usableFromInline let column: UInt
  @usableFromInline let fileID: StaticString
  @usableFromInline let function: StaticString
  /// A `SharedBox` of the declared type; nil while its factory runs.
  @usableFromInline var box: AnyObject?
  @usableFromInline let type: ObjectIdentifier

  @usableFromInline
  init(line: UInt, column: UInt, fileID: StaticString, function: StaticString, type: ObjectIdentifier) {
    self.line = line
    self.column = column
    self.fileID = fileID
    self.function = function
    self.type = type
  }

  /// Whether this slot is that of the declaration at the given place, for the given type.
  @inlinable
  func matches(line: UInt, column: UInt, fileID: StaticString, type: ObjectIdentifier) -> Bool {
    guard self.line == line, self.column == column, self.type == type else { return false }
    // The same literal may stand at two addresses when two modules inlined it, so the text decides then.
    return self.fileID.utf8Start == fileID.utf8Start || sameText(self.fileID, fileID)
  }
}

/// Holds one shared instance.
@usableFromInline
final class SharedBox<Value> {
  @usableFromInline let value: Value

  @usableFromInline
  init(_ value: Value) { self.value = value }
}

@usableFromInline
func sameText(_ one: StaticString, _ other: StaticString) -> Bool {
  one.withUTF8Buffer { one in other.withUTF8Buffer { other in one.elementsEqual(other) } }
}
