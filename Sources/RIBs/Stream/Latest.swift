/// A value that a subscription keeps between deliveries.
///
/// Replacing a value never releases it inside the access: its `deinit` may be code of the user, which may use the same
/// stream. An operator holds the previous value until its delivery is over, so that what that `deinit` accepts comes
/// after the value that was accepted before.
@usableFromInline
final class Latest<Value> {
  /// Written by the methods only.
  @usableFromInline var value: Value

  @inlinable
  init(_ value: Value) { self.value = value }

  /// Stores a value, and releases the previous one afterwards.
  @inlinable
  func set(_ new: Value) {
    let previous = value
    value = new
    withExtendedLifetime(previous) {}
  }

  /// Stores a value, and returns the previous one, to be held until the delivery is over.
  @inlinable
  func exchange(_ new: Value) -> Value {
    let previous = value
    value = new
    return previous
  }
}
