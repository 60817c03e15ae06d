/// Two elements of a list have the same identity, so that it can't be told which is which.
public struct RepeatedIdentity: Error, Hashable, Sendable, CustomStringConvertible {
  /// The identity, as a text.
  public let identity: String
  /// The position of one of the elements.
  public let first: Int
  /// The position of the other, after it.
  public let second: Int

  @usableFromInline
  init(_ identity: String, _ one: Int, _ other: Int) {
    self.identity = identity
    first = min(one, other)
    second = max(one, other)
  }

  public var description: String {
    "The list has the identity \(identity) twice, at \(first) and at \(second). "
      + "Leave one out, or give each element an identity of its own."
  }
}
