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
  ///
  /// The name of the declaration counts, because all that one macro expands to has one line and column.
  @inlinable
  func matches(
    line: UInt, column: UInt, fileID: StaticString, function: StaticString, type: ObjectIdentifier
  ) -> Bool {
    self.line == line && self.column == column && self.type == type && isSame(self.function, function)
      && isSame(self.fileID, fileID)
  }

  /// The same literal may stand at two addresses when two modules inlined it, so the text decides then.
  @inlinable
  func isSame(_ one: StaticString, _ other: StaticString) -> Bool {
    one.utf8Start == other.utf8Start || sameText(one, other)
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
