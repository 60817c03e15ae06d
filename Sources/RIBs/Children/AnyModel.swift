/// A model of any kind: what a `ChildList` follows whose children are of several kinds.
///
/// Its kind is the type of the model. The identity is that of the model among those of its kind: a model that is replaced
/// by one of another kind gets another child, whatever its identity.
public struct AnyModel: Identifiable, Equatable {
  /// What tells a model from all others of all kinds.
  public struct ID: Hashable, CustomStringConvertible {
    @usableFromInline let kind: ObjectIdentifier
    @usableFromInline let base: AnyHashable

    /// Creates the identity of a model of a kind.
    public init<Model: Identifiable>(_ kind: Model.Type, _ id: Model.ID) {
      self.kind = ObjectIdentifier(kind)
      base = AnyHashable(id)
    }

    @inlinable
    public static func == (one: ID, other: ID) -> Bool { one.kind == other.kind && one.base == other.base }

    @inlinable
    public func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(base)
    }

    public var description: String { String(describing: base) }
  }

  /// The model.
  public let base: any Identifiable & Equatable
  /// What tells the model from all others of all kinds.
  public let id: ID

  /// Wraps a model.
  public init<Model: Identifiable & Equatable>(_ model: Model) {
    base = model
    id = ID(Model.self, model.id)
  }

  public static func == (one: AnyModel, other: AnyModel) -> Bool { isEqual(one.base, other.base) }

  private static func isEqual<Model: Equatable>(_ one: Model, _ other: any Equatable) -> Bool {
    (other as? Model).map { one == $0 } ?? false
  }
}
