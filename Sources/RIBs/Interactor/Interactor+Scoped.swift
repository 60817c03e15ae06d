extension Interactor {
  /// Makes an object once for each activation of this interactor, and hands out the same one while that lasts.
  ///
  /// Call it in the getter of a property, with the factory as the trailing closure:
  ///
  /// ```swift
  /// final class CounterInteractor: Interactor {
  ///   private var counter: UnidirectionalStream<CounterLogic> {
  ///     scoped { UnidirectionalStream(input: CounterLogic.Input(), state: CounterLogic.State()) }
  ///   }
  /// }
  /// ```
  ///
  /// It is made when it is first asked for. When the interactor resigns, it is disposed of in its turn among the
  /// subscriptions, the last bound first, and let go of; the next activation makes another. The factory may use `self`
  /// freely: what it captures goes with the object.
  ///
  /// Asked for while the interactor is not active, the object is disposed of at once, which is reported, and handed out as
  /// it is then. A factory that needs its own object is reported with the chain of declarations, and ends the process.
  ///
  /// - Parameters:
  ///   - make: makes the object.
  ///   - fileID: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  ///   - function: leave out; names the declaration in a report.
  /// - Returns: the object of this activation.
  /// - Complexity: linear in the number of scoped declarations used on this interactor, which is small.
  public final func scoped<Value: Disposable>(
    _ make: () -> Value, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) -> Value {
    guard acceptsSubscriptions else {
      let value = make()
      value.dispose()
      report(.scopedWhileInactive(String(describing: Value.self)))
      return value
    }
    let scope = openWork()
    let type = ObjectIdentifier(SharedBox<Value>.self)
    for slot in scope.instances
    where slot.matches(line: line, column: column, fileID: fileID, function: function, type: type) {
      guard let box = slot.box else {
        reportCircle(
          of: scope.instances, in: Swift.type(of: self), fileID: fileID, line: line, function: function)
      }
      return unsafeDowncast(box, to: SharedBox<Value>.self).value
    }
    let index = scope.instances.count
    scope.instances.append(SharedSlot(line: line, column: column, fileID: fileID, function: function, type: type))
    let value = make()
    guard !scope.hasEnded else {
      value.dispose()
      return value
    }
    // Slots are only ever appended while the scope lasts, so the index still holds after whatever the factory did.
    scope.instances[index].box = SharedBox(value)
    scope.add(value)
    return value
  }
}
