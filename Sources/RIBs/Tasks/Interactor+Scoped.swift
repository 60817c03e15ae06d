// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Interactor {
  /// Returns an object that is created once for each activation of this interactor.
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
  /// The first call in an activation creates the object; later calls return the same one. When the interactor resigns,
  /// the object is disposed of and released together with the subscriptions, the last bound first. The next activation
  /// creates a new one. The factory may use `self` freely: its captures are released with the object.
  ///
  /// If the interactor is not active, the object is disposed of at once and returned as it is then, and the call is
  /// reported as misuse. A factory that needs its own object is reported with the chain of declarations, and ends the
  /// process.
  ///
  /// - Parameters:
  ///   - make: creates the object.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  ///   - function: Defaults to the calling declaration, which a report names.
  /// - Returns: the object of this activation.
  /// - Complexity: linear in the number of scoped declarations used on this interactor, which is small.
  public final func scoped<Value: Disposable>(
    _ make: () -> Value, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) -> Value {
    guard subscriptionRefusal == nil else {
      let value = make()
      value.dispose()
      report(
        .warning(
          .subscriptionWhileInactive, "\(Value.self) was made and disposed of at once: the interactor is not active.",
          advice: "Call scoped in didBecomeActive() or later."))
      return value
    }
    let scope = openWork()
    let instances = scope.instances ?? ScopedInstances(of: type(of: self))
    scope.instances = instances
    var isNew = false
    let create = {
      isNew = true
      return make()
    }
    let value = instances.shared(create, fileID: fileID, line: line, column: column, function: function)
    guard isNew else { return value }
    if scope.hasEnded { value.dispose() } else { scope.add(value) }
    return value
  }
}

/// The objects that were created for one activation of an interactor.
final class ScopedInstances: ComponentCore {
  private let ownerType: any AnyObject.Type

  init(of ownerType: any AnyObject.Type) {
    self.ownerType = ownerType
    super.init(parent: nil)
  }

  override var sharingType: any AnyObject.Type { ownerType }
}
