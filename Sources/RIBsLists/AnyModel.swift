// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A type-erased model, for a `ChildList` with children of several kinds.
///
/// Its kind is the type of the wrapped model. Identities are unique within a kind: a model that is replaced by one of
/// another kind gets a new child, whatever its identity.
public struct AnyModel: Identifiable, Equatable {
  /// The identity of a model among the models of all kinds.
  public struct ID: Hashable, CustomStringConvertible {
    @usableFromInline let kind: ObjectIdentifier
    @usableFromInline let base: AnyHashable

    /// Creates the identity of a model.
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

  /// The wrapped model.
  public let base: any Identifiable & Equatable
  /// The identity of the model among the models of all kinds.
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

/// The builders for the children of a `ChildList` with models of several kinds.
///
/// A kind is the type of its models. Register one builder for each kind, for example in the module of that kind:
/// neither the list nor the other kinds depend on it.
///
/// ```swift
/// let kinds = ChildKinds<FeedRouter>()
/// kinds.register(Ride.self) { router, ride in router.rideBuilder.build(ride) }
/// kinds.register(Offer.self) { router, offer in router.offerBuilder.build(offer) }
/// ```
public final class ChildKinds<Owner: RouterNode> {
  private var builders: [ObjectIdentifier: (Owner, AnyModel) -> (any ModelRouting)?] = [:]

  /// Creates a registry without kinds.
  public init() {}

  /// Registers the builder for models of a kind, replacing the previous one, if any.
  ///
  /// - Parameters:
  ///   - kind: the type of the models.
  ///   - build: creates the child for a model. It receives the router of the list.
  public func register<Model>(
    _ kind: Model.Type = Model.self,
    build: @escaping (_ router: Owner, _ model: Model) -> any ModelRouting<Model>
  ) {
    builders[ObjectIdentifier(kind)] = { owner, model in (model.base as? Model).map { build(owner, $0) } }
  }

  func knows(_ model: AnyModel) -> Bool { builders[model.id.kind] != nil }

  func build(_ model: AnyModel, for owner: Owner) -> (any ModelRouting)? {
    builders[model.id.kind].flatMap { $0(owner, model) }
  }
}

extension ChildList where Model == AnyModel {
  /// Creates an empty list with models of several kinds.
  ///
  /// An update with a model of a kind without a builder is refused and reported as misuse.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the list holds. It is not retained.
  ///   - restarts: how often children that fail are built anew from their models. Each child has its own count.
  ///   - kinds: the builders. More kinds can be registered later.
  public convenience init<Owner: RouterNode>(
    of owner: Owner, restarts: Restarts = .never, kinds: ChildKinds<Owner>
  ) {
    self.init(
      of: owner, restarts: restarts,
      build: { owner, model in
        kinds.build(model, for: ChildContainer.typed(owner, as: Owner.self)).map { BuiltChild(following: $0) }
      },
      unknownKind: { kinds.knows($0) ? nil : String(describing: type(of: $0.base)) },
      difference: { old, new throws(RepeatedIdentity) in try ListDifference(from: old, to: new) })
  }

  /// The child of a model of a kind.
  public subscript<Kind: Identifiable & Equatable>(kind: Kind.Type, id id: Kind.ID) -> (any Routing)? {
    self[id: AnyModel.ID(kind, id)]
  }
}
