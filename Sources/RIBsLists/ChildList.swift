// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Keeps the children of a router synchronized with a list of models: one child for each model.
///
/// ```swift
/// final class RidesRouter: Router<RidesInteractor> {
///   let rowBuilder: RideRowBuildable
///
///   private lazy var rows = ChildList<Ride>(of: self) { router, ride in router.rowBuilder.build(ride) }
///
///   init(interactor: RidesInteractor, rowBuilder: RideRowBuildable) {
///     self.rowBuilder = rowBuilder
///     super.init(interactor: interactor)
///   }
///
///   func show(_ rides: [Ride]) throws { try rows.update(rides) }
/// }
/// ```
///
/// The identity of a model determines its child: the child stays alive as long as the model is in the list, moves with
/// it, and is notified when the model has changed. For models of several kinds, use `AnyModel` and `ChildKinds`.
///
/// ## Order
///
/// An update makes these steps:
///
/// 1. Builds the children for all new models.
/// 2. Changes the list.
/// 3. Detaches the children whose models were removed, the last first.
/// 4. Moves the other children to their new positions.
/// 5. Attaches the new children, the first first.
/// 6. Notifies children of changed models, the first first.
/// 7. Notifies children of their nearness to the window.
/// 8. Emits one event with the changes.
///
/// No other code of the tree runs in between, and callbacks see the changed list. An update that is requested in a
/// callback waits until this one has ended.
///
/// The router's other children keep their places: a new child is put right after its predecessor in the list.
public final class ChildList<Model: Identifiable & Equatable> {
  /// The container that holds the children.
  let container: ChildContainer
  let build: (RouterNode, Model) -> BuiltChild?
  let unknownKind: (Model) -> String?
  /// Compares two lists, specialized for the type of the models.
  private let difference: ([Model], [Model]) throws(RepeatedIdentity) -> ListDifference

  /// The models, including those that have lost their child, which are removed outside updates.
  var currentModels: [Model] = []
  /// The indices of the models' entries, in the order of the models.
  var order: [Int32] = []
  var entries: [ListEntry] = []
  var unusedPlaces: [Int32] = []
  /// The indices of the entries by identity; nil after a change, until the next lookup.
  var places: [Model.ID: Int32]?
  /// The number of models that have lost their child.
  var lostCount = 0

  private(set) var isUpdating = false
  /// The changes that were requested during the current update, as functions of the models.
  private var waiting = FIFO<([Model]) -> [Model]>()
  /// The update requested for a later job of the tree. Weak: the task that runs the update holds it, and releases it
  /// when it ends.
  private weak var requested: UpdateRequest?

  /// A requested update.
  private final class UpdateRequest {
    /// Returns the models of the update.
    var models: () -> [Model]
    /// The activation of the router in which the update was requested.
    let activation: UInt32

    init(_ models: @escaping () -> [Model], activation: UInt32) {
      self.models = models
      self.activation = activation
    }
  }

  var window = ListWindow(range: 0..<0, heading: .tail)
  /// The entries of children that are not far away, and of children that have yet to be notified that they are.
  var near: [Int32] = []
  var isNotifyingNearness = false
  var needsNearness = false

  /// Creates an empty list whose children are of one kind.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the list holds. It is not retained.
  ///   - restarts: how often children that fail are built anew from their models. Each child has its own count.
  ///   - build: creates the child for a model. It receives the router, so that the closure need not capture it.
  @inlinable
  public convenience init<Owner: RouterNode>(
    of owner: Owner, restarts: Restarts = .never,
    build: @escaping (_ router: Owner, _ model: Model) -> any ModelRouting<Model>
  ) {
    self.init(
      of: owner, restarts: restarts,
      build: { owner, model in
        BuiltChild(following: build(ChildContainer.typed(owner, as: Owner.self), model))
      },
      unknownKind: { _ in nil },
      difference: { old, new throws(RepeatedIdentity) in try ListDifference(from: old, to: new) })
  }

  /// Creates an empty list whose children need not follow their models: a plain `Router` can be a child, without a class
  /// of its own.
  ///
  /// ```swift
  /// final class RideListRouter: Router<RidesInteractor> {
  ///   private lazy var rides = ChildList<Ride>(of: self) { _, _ in Router(interactor: RideRowInteractor()) }
  ///
  ///   func add(_ ride: Ride) { rides.updateOrAppend(ride) }
  /// }
  /// ```
  ///
  /// A child that conforms to `ModelRouting` is notified as in the other initializer, which the compiler prefers, and
  /// where it checks that the child is one of this model.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the list holds. It is not retained.
  ///   - restarts: how often children that fail are built anew from their models. Each child has its own count.
  ///   - build: creates the child for a model. It receives the router, so that the closure need not capture it.
  @inlinable
  @_disfavoredOverload
  public convenience init<Owner: RouterNode>(
    of owner: Owner, restarts: Restarts = .never,
    build: @escaping (_ router: Owner, _ model: Model) -> any Routing
  ) {
    self.init(
      of: owner, restarts: restarts,
      build: { owner, model in BuiltChild(build(ChildContainer.typed(owner, as: Owner.self), model)) },
      unknownKind: { _ in nil },
      difference: { old, new throws(RepeatedIdentity) in try ListDifference(from: old, to: new) })
  }

  /// - Parameters:
  ///   - unknownKind: returns the name of a model's kind if no builder is registered for it; otherwise nil.
  ///   - difference: compares two lists. Created where the type of the models is known, so that it is specialized.
  @usableFromInline
  init(
    of owner: RouterNode, restarts: Restarts, build: @escaping (RouterNode, Model) -> BuiltChild?,
    unknownKind: @escaping (Model) -> String?,
    difference: @escaping ([Model], [Model]) throws(RepeatedIdentity) -> ListDifference
  ) {
    self.build = build
    self.unknownKind = unknownKind
    self.difference = difference
    container = ChildContainer(of: owner, restarts: restarts)
    container.delegate = self
  }

  deinit {
    var children = order.compactMap { entries[Int($0)].child }
    entries = []
    for child in children { container.releaseHold(on: child) }
    guard let owner else { return }
    while let child = children.popLast() { container.detach(child, from: owner) }
  }

  /// The router, until it is released.
  var owner: RouterNode? { container.owner }

  // MARK: Contents

  /// The models that have children, in order. If other code detaches a child, its model is removed too.
  public var models: [Model] {
    discardLost()
    guard lostCount > 0 else { return currentModels }
    return zip(currentModels, order).compactMap { model, place in hasLostChild(place) ? nil : model }
  }

  /// The children, in the order of the models.
  public var children: [any Routing] { order.compactMap { entries[Int($0)].child?.routing } }

  /// The number of children.
  public var count: Int { order.count - lostCount }

  /// The child of the model with an identity; nil if there is none, or if other code has detached it.
  ///
  /// - Complexity: O(1); the first lookup after an update is linear in the number of models, as the update is.
  public subscript(id id: Model.ID) -> (any Routing)? {
    openPlaces()[id].flatMap { entries[Int($0)].child?.routing }
  }

  /// The model of a child of this list that has failed for good. Call it in `childDidFail(_:)` of the parent, before any
  /// other use of the list, which removes the model.
  ///
  /// - Returns: nil if the child was in another container, or if the model was removed since.
  /// - Complexity: linear in the number of models.
  public func model(of failure: Interactor.ChildFailure) -> Model? {
    // A place that has a child was given to another model.
    guard let place = failure.place(in: container).map({ Int32($0) }), let position = order.firstIndex(of: place),
      hasLostChild(place)
    else { return nil }
    return currentModels[position]
  }

  private func openPlaces() -> [Model.ID: Int32] {
    if let places { return places }
    let places = Dictionary(zip(currentModels.lazy.map(\.id), order), uniquingKeysWith: { $1 })
    self.places = places
    return places
  }

  // MARK: Updating

  /// Updates the children to match new models.
  ///
  /// If it is called during another update, this update is applied before that call returns. If the tree has ended, or
  /// a model is of a kind without a builder, the update is refused and reported as misuse, and the list is unchanged.
  /// If the router was released, nothing happens.
  ///
  /// - Parameter models: the models, in order.
  /// - Throws: `RepeatedIdentity` if two models have the same identity. The list is unchanged then.
  /// - Complexity: that of `ListDifference`, and of building, detaching, moving and attaching the affected children.
  public func update(_ models: [Model]) throws(RepeatedIdentity) {
    if isUpdating {
      let all = try difference([], models)
      if knowsKinds(of: models, at: all.inserts) { waiting.append { _ in models } }
      return
    }
    discardLost()
    let changes = try difference(currentModels, models)
    guard !changes.isEmpty else {
      if needsNearness { notifyNearness() }
      return
    }
    guard knowsKinds(of: models, at: changes.inserts) else { return }
    performUpdate { apply(changes, models) }
  }

  /// Makes an update, and then those that callbacks have requested meanwhile.
  private func performUpdate(_ update: () -> Void) {
    isUpdating = true
    update()
    while let change = waiting.popFirst() {
      isUpdating = false
      discardLost()
      isUpdating = true
      let models = change(currentModels)
      // The identities were checked when the update was requested.
      if let changes = try? difference(currentModels, models), !changes.isEmpty { apply(changes, models) }
    }
    isUpdating = false
    if needsNearness { notifyNearness() }
  }

  /// Replaces the model with the same identity, and notifies its child if they differ; if there is none, adds the model at
  /// the end, with a new child.
  ///
  /// It is refused, and made later, where `update(_:)` is.
  ///
  /// - Complexity: linear in the number of models, as an update is.
  public func updateOrAppend(_ model: Model) {
    guard knowsKinds(of: [model], at: [0]) else { return }
    change { models in
      var models = models
      if let index = models.firstIndex(where: { $0.id == model.id }) {
        models[index] = model
      } else {
        models.append(model)
      }
      return models
    }
  }

  /// Removes the model with an identity, and detaches its child. If there is none, nothing happens.
  ///
  /// It is refused, and made later, where `update(_:)` is.
  ///
  /// - Complexity: linear in the number of models, as an update is.
  public func remove(id: Model.ID) { change { models in models.filter { $0.id != id } } }

  /// Changes models without adding an identity twice.
  private func change(_ change: @escaping ([Model]) -> [Model]) {
    if isUpdating { return waiting.append(change) }
    do { try update(change(models)) } catch { owner?.report(.repeatedIdentity(error)) }
  }

  /// Schedules an update of the children for a later job of the tree. Several requests are combined into one update,
  /// with the models of the last request.
  ///
  /// The update is work bound to the router's interactor: an error reaches `didFail(_:of:)`, and if the interactor
  /// resigns first, the request is discarded. Under an inactive interactor, outside a tree, or with a test double as
  /// the interactor, the update is made before this returns, and an error is reported as misuse.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - models: returns the models. Called when the update is made.
  public func setNeedsUpdate(
    fileID: StaticString = #fileID, line: UInt = #line, _ models: @escaping () -> [Model]
  ) {
    guard let owner else { return }
    guard let interactor = owner.interactorForTasks else {
      do { try update(models()) } catch { owner.report(.repeatedIdentity(error)) }
      return
    }
    if let request = requested, request.activation == owner.epoch {
      let previous = request.models
      request.models = models
      return withExtendedLifetime(previous) {}
    }
    let request = UpdateRequest(models, activation: owner.epoch)
    requested = request
    interactor.task(fileID: fileID, line: line) {
      if self.requested === request { self.requested = nil }
      try self.update(request.models())
    }
  }

  private func knowsKinds(of models: [Model], at positions: [Int]) -> Bool {
    for position in positions {
      if let kind = unknownKind(models[position]) {
        owner?.report(
          .error(
            .unknownModel, "A list of children was not updated: no builder is registered for a \(kind).",
            advice:
              "Register a builder for \(kind) in the ChildKinds of the list, or add the plugin to its PluginPoint."))
        return false
      }
    }
    return true
  }

  // MARK: Lost children

  /// Records that other code has detached a child, or that it could not be attached.
  func discard(_ child: RouterNode, at place: Int32) {
    let place = Int(place)
    guard entries.indices.contains(place), entries[place].child === child else { return }
    entries[place].child = nil
    entries[place].follower = nil
    lostCount += 1
  }

  /// Removes the models that have lost their child. Does nothing during an update, which relies on their positions.
  func discardLost() {
    guard lostCount > 0, !isUpdating else { return }
    let (models, places) = (currentModels, order)
    defer { withExtendedLifetime(models) {} }
    currentModels = []
    order = []
    self.places = nil
    lostCount = 0
    // The positions behind a lost child change.
    needsNearness = true
    for (model, place) in zip(models, places) {
      if hasLostChild(place) {
        release(place)
      } else {
        currentModels.append(model)
        order.append(place)
      }
    }
  }

  /// Whether a model has no child any more. One whose child is to be restarted gets one.
  func hasLostChild(_ place: Int32) -> Bool {
    entries[Int(place)].child == nil && !container.isRestarting(place)
  }

  /// Frees an entry for another child.
  func release(_ place: Int32) {
    container.forget(place)
    entries[Int(place)] = ListEntry()
    unusedPlaces.append(place)
  }
}

/// A child that was built for a model.
@usableFromInline
struct BuiltChild {
  let node: RouterNode
  /// The child, if it follows its model.
  let follower: (any ModelRouting)?

  @usableFromInline
  init(following child: any ModelRouting) {
    node = RouterNode.node(of: child)
    follower = child
  }

  @usableFromInline
  init(_ child: any Routing) {
    node = RouterNode.node(of: child)
    follower = child as? any ModelRouting
  }
}

/// A list's state of a child. A child has its entry as long as its model is in the list.
///
/// Not nested in `ChildList`, whose type parameter it does not use: in the unspecialized code of the list, an array of a
/// nested type is accessed through its metadata, and copied with each access.
struct ListEntry {
  /// Nil after other code has detached the child, and in an unused entry.
  var child: RouterNode?
  /// The child, as the receiver of its models; nil if it follows none.
  var follower: (any ModelRouting)?
  /// The nearness that the child was last notified of.
  var nearness = Nearness.none
  /// The current nearness.
  var actualNearness = Nearness.none
}

extension ChildList: ChildContainerDelegate {
  package func didLose(_ child: RouterNode, at place: Int32) { discard(child, at: place) }

  package func withdraw(_ child: RouterNode, from place: Int32) {
    entries[Int(place)].child = nil
    entries[Int(place)].follower = nil
    entries[Int(place)].nearness = .none
  }

  package func suspendingUpdates(_ body: () -> Void) {
    if isUpdating { body() } else { performUpdate(body) }
  }

  package func rebuild(at place: Int32, _ check: (RouterNode) -> Bool) -> RouterNode? {
    var rebuilt: RouterNode?
    performUpdate { rebuilt = restart(at: place, check) }
    return rebuilt
  }

  package func didLoseChild(at place: Int32) { lostCount += 1 }
}

/// A router that is built from a model and follows its changes: a child of a `ChildList`.
///
/// The RIB's builder returns it as `any ModelRouting<Ride>`. The router passes the changes that matter to its
/// interactor:
/// ```swift
/// protocol RideRowBuildable: Buildable {
///   func build(_ ride: Ride) -> any ModelRouting<Ride>
/// }
///
/// final class RideRowRouter: Router<RideRowInteractor>, ModelRouting {
///   func didUpdate(to ride: Ride, from previous: Ride) { interactor.show(ride) }
///
///   func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {
///     if nearness >= .preload, previous < .preload { interactor.load() }
///   }
/// }
/// ```
public protocol ModelRouting<Model>: Routing {
  /// The model of the child. Its identity determines the child; its equality, whether it has changed.
  associatedtype Model: Identifiable & Equatable

  /// Called by the list during an update when the model of this child has changed: after all new children were
  /// attached, in the order of the list. The child may be inactive, under an inactive router.
  ///
  /// - Parameters:
  ///   - model: the new model, which has the identity of the old one.
  ///   - previous: the previous model.
  func didUpdate(to model: Model, from previous: Model)

  /// Called by the list once for each change of the child's nearness to the window. The initial nearness is `none`, and
  /// the first call comes after the child was attached. The child may be inactive, under an inactive router. The
  /// default does nothing.
  ///
  /// - Parameters:
  ///   - nearness: the new nearness.
  ///   - previous: the previous nearness.
  func nearnessDidChange(to nearness: Nearness, from previous: Nearness)
}

extension ModelRouting {
  /// Does nothing.
  public func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {}
}

extension Misuse.Problem {
  fileprivate static func repeatedIdentity(_ error: any Error) -> Self {
    .error(
      .repeatedIdentity, "A list of children was not updated. \(error)",
      advice: "Where a tree runs, the error reaches didFail(_:of:) of the interactor.")
  }
}
