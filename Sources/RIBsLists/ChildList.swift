public import RIBs

/// Keeps children of a router in step with a list of models: each model that comes gets a child, each that goes loses it.
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
/// A model's identity tells which child it belongs to: that child stays alive as long as the model is in the list, moves
/// with it, and is told when it has changed. For models of many kinds there are `AnyModel` and `ChildKinds`.
///
/// ## The order
///
/// An update builds the children for all new models; then the list changes at once; then the children whose models are
/// gone are detached, the last first; the others are put in order; the new children are attached, the first first; children
/// are told of their changed models, the first first, and how near they are to the window; and one event tells of it all.
/// Nothing else of the tree can run in between, and callbacks see the changed list. An update that one of them asks for
/// waits until this one is over.
///
/// The router's other children stay where they are among these: a new child comes right behind the one before it in the
/// list.
public final class ChildList<Model: Identifiable & Equatable> {
  /// What the list knows of a child. A child has its entry as long as its model is in the list.
  struct Entry {
    /// Nil when somebody else has detached the child, and in an unused entry.
    var child: RouterNode?
    /// The child again.
    var follower: (any ModelRouting)?
    /// How near the child was told that it is.
    var nearness = Nearness.none
    /// How near it is.
    var actualNearness = Nearness.none
  }

  /// The router's hold on the children.
  let container: DelegatingContainer
  let build: (RouterNode, Model) -> (any ModelRouting)?
  let unknownKind: (Model) -> String?
  /// Compares two lists, specialised for the type of the models.
  private let difference: ([Model], [Model]) throws(RepeatedIdentity) -> ListDifference

  /// Also those that have lost their child, until the next time that nothing is under way.
  var currentModels: [Model] = []
  /// The entries of the models.
  var order: [Int32] = []
  var entries: [Entry] = []
  var unusedPlaces: [Int32] = []
  var places: [Model.ID: Int32] = [:]
  /// How many of the models have lost their child.
  var lostCount = 0

  private(set) var isUpdating = false
  private var waiting = FIFO<[Model]>()
  /// What is to be done at the next turn of the tree. The work that waits for it holds it, so that it goes with that.
  private weak var requested: UpdateRequest?

  /// An update that was asked for.
  private final class UpdateRequest {
    /// Makes the models to be followed.
    var models: () -> [Model]
    /// The activation of the router that it was asked for in.
    let activation: UInt32

    init(_ models: @escaping () -> [Model], activation: UInt32) {
      self.models = models
      self.activation = activation
    }
  }

  var window = ListWindow(range: 0..<0, heading: .tail)
  /// The entries of children that are not far away, and of some others.
  var near: [Int32] = []
  var isTellingNearness = false
  var needsNearness = false

  /// Creates an empty list of children that are of one kind.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the list holds. It is not kept alive.
  ///   - build: makes the child for a model, given the router, so that the closure need not capture it.
  @inlinable
  public convenience init<Owner: RouterNode>(
    of owner: Owner, build: @escaping (_ router: Owner, _ model: Model) -> any ModelRouting<Model>
  ) {
    self.init(
      of: owner, build: { owner, model in build(unsafeDowncast(owner, to: Owner.self), model) },
      unknownKind: { _ in nil },
      difference: { old, new throws(RepeatedIdentity) in try ListDifference(from: old, to: new) })
  }

  /// - Parameters:
  ///   - unknownKind: the name of a model's kind if nobody builds children of it.
  ///   - difference: made where the type of the models is known, so that it is specialised for it.
  @usableFromInline
  init(
    of owner: RouterNode, build: @escaping (RouterNode, Model) -> (any ModelRouting)?,
    unknownKind: @escaping (Model) -> String?,
    difference: @escaping ([Model], [Model]) throws(RepeatedIdentity) -> ListDifference
  ) {
    self.build = build
    self.unknownKind = unknownKind
    self.difference = difference
    container = DelegatingContainer(of: owner)
    container.delegate = self
  }

  deinit {
    var children = order.compactMap { entries[Int($0)].child }
    entries = []
    for child in children { container.letGo(of: child) }
    guard let owner else { return }
    while let child = children.popLast() { container.detach(child, from: owner) }
  }

  /// The router, until it goes.
  var owner: RouterNode? { container.owner }

  // MARK: What is in the list

  /// The models that have children, in order. A child that somebody else detaches takes its model with it.
  public var models: [Model] {
    forgetLost()
    guard lostCount > 0 else { return currentModels }
    return zip(currentModels, order).compactMap { model, place in entries[Int(place)].child == nil ? nil : model }
  }

  /// The children, in the order of the models.
  public var children: [any Routing] { order.compactMap { entries[Int($0)].child?.routing } }

  /// How many children there are.
  public var count: Int { order.count - lostCount }

  /// The child of the model with an identity; nil if there is none, or somebody else has detached it.
  ///
  /// - Complexity: O(1).
  public subscript(id id: Model.ID) -> (any Routing)? {
    places[id].flatMap { entries[Int($0)].child?.routing }
  }

  // MARK: Updating

  /// Makes the children follow new models.
  ///
  /// During another update it waits its turn: it is done before that other call returns. When the tree has ended, and
  /// when a model is of a kind that has no builder, the update is refused and that is reported; the list stays as it was.
  /// When the router is gone, nothing happens.
  ///
  /// - Parameter models: the models, in order.
  /// - Throws: `RepeatedIdentity` if two models have the same identity, before anything is touched.
  /// - Complexity: that of `ListDifference`, and of building, detaching, moving and attaching what has to be.
  public func update(_ models: [Model]) throws(RepeatedIdentity) {
    if isUpdating {
      let all = try difference([], models)
      if knowsKinds(of: models, at: all.inserts) { waiting.append(models) }
      return
    }
    forgetLost()
    let changes = try difference(currentModels, models)
    guard !changes.isEmpty, knowsKinds(of: models, at: changes.inserts) else { return }
    isUpdating = true
    apply(changes, models)
    while let models = waiting.popFirst() {
      isUpdating = false
      forgetLost()
      isUpdating = true
      // Looked at when it was asked for.
      if let changes = try? difference(currentModels, models), !changes.isEmpty { apply(changes, models) }
    }
    isUpdating = false
    if needsNearness { tellNearness() }
  }

  /// Asks for an update at the next turn of the tree, when what runs now is done. Several requests become one update, to
  /// what the last of them says then.
  ///
  /// The update is work bound to the router's interactor: an error reaches `didFail(_:of:)`, and when the interactor resigns
  /// first, the request goes with it. Where there is no turn to wait for, under an inactive interactor, outside a tree, or
  /// with a test double as the interactor, the update is made before this returns, and an error is reported as misuse.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the update was asked for, with `line`.
  ///   - line: leave out.
  ///   - models: makes the models, when it is their turn.
  public func setNeedsUpdate(
    fileID: StaticString = #fileID, line: UInt = #line, _ models: @escaping () -> [Model]
  ) {
    guard let owner else { return }
    guard let interactor = owner.interactorForTasks else {
      do { try update(models()) } catch { owner.report(.repeatedIdentity(String(describing: error))) }
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
        owner?.report(.unknownModel(kind))
        return false
      }
    }
    return true
  }

  // MARK: Losing children

  /// Somebody else has detached a child, or it could not be attached.
  func forget(_ child: RouterNode, at place: Int32) {
    let place = Int(place)
    guard entries.indices.contains(place), entries[place].child === child else { return }
    entries[place].child = nil
    entries[place].follower = nil
    lostCount += 1
  }

  /// Lets go of the models that have lost their child, unless an update is under way, which counts on their positions.
  private func forgetLost() {
    guard lostCount > 0, !isUpdating else { return }
    let (models, places) = (currentModels, order)
    defer { withExtendedLifetime(models) {} }
    currentModels = []
    order = []
    lostCount = 0
    for (model, place) in zip(models, places) {
      if entries[Int(place)].child == nil {
        release(place, of: model.id)
      } else {
        currentModels.append(model)
        order.append(place)
      }
    }
  }

  /// Makes an entry free for another child.
  func release(_ place: Int32, of id: Model.ID) {
    places[id] = nil
    entries[Int(place)] = Entry()
    unusedPlaces.append(place)
  }
}

extension ChildList: DelegatingContainerDelegate {
  package func didLose(_ child: RouterNode, at place: Int32) { forget(child, at: place) }
}

/// A router that is made from a model and follows it: a child of a `ChildList`.
///
/// The RIB's builder returns it as `any ModelRouting<Ride>`; its router hands on to the interactor what that wants to
/// know:
///
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
  /// What a child is made from. Its identity tells which child it belongs to; equality, whether it has changed.
  associatedtype Model: Identifiable & Equatable

  /// Called by the list during an update when the model of this child has changed: after all children of the update were
  /// attached, in the order of the list. The child may be inactive, under an inactive router.
  ///
  /// - Parameters:
  ///   - model: the new model; its identity is that of the old.
  ///   - previous: the model that the child had followed so far.
  func didUpdate(to model: Model, from previous: Model)

  /// Called by the list when the child comes nearer to its window, or goes farther away: once for each change. A child
  /// begins with `none`, and is told after it was attached. The child may be inactive, under an inactive router. The
  /// default does nothing.
  ///
  /// - Parameters:
  ///   - nearness: how near the child is now.
  ///   - previous: how near it was.
  func nearnessDidChange(to nearness: Nearness, from previous: Nearness)
}

extension ModelRouting {
  /// Does nothing.
  public func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {}
}
