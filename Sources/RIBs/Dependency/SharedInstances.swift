// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension ComponentCore {
  /// Creates an instance on the first call, and returns the same one afterwards.
  ///
  /// Call it in the getter of a component's property, with the factory as the trailing closure:
  ///
  /// ```swift
  /// var tripStream: TripStream { shared { TripStream() } }
  /// ```
  ///
  /// The instance is identified by the call site of `shared` and by its type: two overloads of one name, or one
  /// generic function used with two types, have separate instances.
  ///
  /// A factory that needs its own result, directly or through other shared instances, can never return. That ends the
  /// process with a message that shows the chain of declarations.
  ///
  /// - Parameters:
  ///   - factory: creates the instance. Called at most once for each component.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  ///   - function: Defaults to the enclosing declaration, for messages.
  /// - Returns: the instance of this component.
  /// - Complexity: O(*n*) in the number of shared declarations used on this component, which is small.
  @inlinable
  public final func shared<Value>(
    _ factory: () -> Value, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) -> Value {
    let type = ObjectIdentifier(SharedBox<Value>.self)
    // By index: iterating over the slots would copy and retain each.
    for index in slots.indices
    where slots[index].matches(line: line, column: column, fileID: fileID, function: function, type: type) {
      guard let box = slots[index].box else { reportCircularShared(fileID: fileID, line: line, function: function) }
      return SharedBox<Value>.value(in: box)
    }
    let index = slots.count
    slots.append(SharedSlot(line: line, column: column, fileID: fileID, function: function, type: type))
    let value = factory()
    // Slots are only appended, so the index is still valid after the factory has run.
    slots[index].box = SharedBox(value)
    return value
  }

  /// Ends the process because shared instances depend on each other in a cycle.
  @usableFromInline
  final func reportCircularShared(fileID: StaticString, line: UInt, function: StaticString) -> Never {
    let making = slots.filter { $0.box == nil }
    let first =
      making.firstIndex { $0.line == line && sameText($0.function, function) && sameText($0.fileID, fileID) } ?? 0
    let chain = making[first...].map { "\($0.function) (\($0.fileID):\($0.line))" } + ["\(function) again"]
    fatalError(
      """
      The shared instances of \(sharingType) need each other in a circle: \(chain.joined(separator: " -> ")). \
      Break the circle: let one of them get the other later, through a property or a stream.
      """
    )
  }
}

/// The slot of one `shared` declaration in a component.
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

  /// Whether this slot belongs to the declaration at a location, for a type.
  ///
  /// The function name is compared too, because all code expanded from one macro has the same line and column.
  @inlinable
  func matches(
    line: UInt, column: UInt, fileID: StaticString, function: StaticString, type: ObjectIdentifier
  ) -> Bool {
    self.line == line && self.column == column && self.type == type && isSame(self.function, function)
      && isSame(self.fileID, fileID)
  }

  /// Compares addresses, then text: a literal inlined into two modules has two addresses.
  @inlinable
  func isSame(_ one: StaticString, _ other: StaticString) -> Bool {
    one.utf8Start == other.utf8Start || sameText(one, other)
  }
}

/// A value in an object, which many can share.
@usableFromInline
final class SharedBox<Value> {
  @usableFromInline let value: Value

  @usableFromInline
  init(_ value: Value) { self.value = value }

  /// The value in the box of a slot whose type was compared.
  @inlinable
  static func value(in box: AnyObject) -> Value {
    guard let box = box as? SharedBox else { preconditionFailure("The type of the slot was compared.") }
    return box.value
  }
}

extension SharedBox: Sendable where Value: Sendable {}

@usableFromInline
func sameText(_ one: StaticString, _ other: StaticString) -> Bool {
  one.withUTF8Buffer { one in other.withUTF8Buffer { other in one.elementsEqual(other) } }
}
