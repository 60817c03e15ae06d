extension ComponentCore {
  /// Makes an instance once for this component, and hands out the same one from then on.
  ///
  /// Call it in the getter of a component's property, with the factory as the trailing closure:
  ///
  /// ```swift
  /// var tripStream: TripStream { shared { TripStream() } }
  /// ```
  ///
  /// The instance belongs to the place in the source where `shared` is called and to the type it makes, so that two
  /// overloads of one name, or one generic function used with two types, have an instance each.
  ///
  /// A factory that needs its own result, directly or through other shared instances, can never return. That is
  /// reported with the chain of declarations, and ends the process: there is no value to go on with.
  ///
  /// - Parameters:
  ///   - factory: makes the instance; called at most once for each component.
  ///   - fileID: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  ///   - function: leave out; names the declaration in a report.
  /// - Returns: the instance of this component.
  /// - Complexity: linear in the number of shared declarations used on this component, which is small.
  @inlinable
  public final func shared<Value>(
    _ factory: () -> Value, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) -> Value {
    let type = ObjectIdentifier(SharedBox<Value>.self)
    // By index, as a loop through the slots themselves copies each, with the reference it holds.
    for index in slots.indices
    where slots[index].matches(line: line, column: column, fileID: fileID, function: function, type: type) {
      guard let box = slots[index].box else { reportCircularShared(fileID: fileID, line: line, function: function) }
      return unsafeDowncast(box, to: SharedBox<Value>.self).value
    }
    let index = slots.count
    slots.append(SharedSlot(line: line, column: column, fileID: fileID, function: function, type: type))
    let value = factory()
    // Slots are only ever appended, so the index still holds after whatever the factory did.
    slots[index].box = SharedBox(value)
    return value
  }

  @usableFromInline
  final func reportCircularShared(fileID: StaticString, line: UInt, function: StaticString) -> Never {
    reportCircle(of: slots, in: type(of: self), fileID: fileID, line: line, function: function)
  }
}

/// A declaration needs its own instance to make it.
func reportCircle(
  of slots: [SharedSlot], in owner: any AnyObject.Type, fileID: StaticString, line: UInt, function: StaticString
) -> Never {
  let making = slots.filter { $0.box == nil }
  let first =
    making.firstIndex { $0.line == line && sameText($0.function, function) && sameText($0.fileID, fileID) } ?? 0
  let chain = making[first...].map { "\($0.function) (\($0.fileID):\($0.line))" } + ["\(function) again"]
  fatalError(
    """
    The shared instances of \(owner) need each other in a circle: \(chain.joined(separator: " -> ")). \
    Break the circle: let one of them get the other later, through a property or a stream.
    """
  )
}

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
