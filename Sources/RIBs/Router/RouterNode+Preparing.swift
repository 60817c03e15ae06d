extension RouterNode {
  /// Builds a child off the tree, and attaches it on the tree when it is ready, if this activation lasts until then.
  ///
  /// It is for children that take long to build, from builders whose dependencies are `Sendable`. The whole subtree may be
  /// attached to the child already. What it needs of the tree, such as its listener, is given to it on the tree:
  ///
  /// ```swift
  /// final class MapRouter: Router<MapInteractor> {
  ///   private let zonesBuilder: ZonesBuilder
  ///
  ///   init(interactor: MapInteractor, zonesBuilder: ZonesBuilder) {
  ///     self.zonesBuilder = zonesBuilder
  ///     super.init(interactor: interactor)
  ///   }
  ///
  ///   func routeToZones() {
  ///     attach(preparing: { [zonesBuilder] in zonesBuilder.build() }) { zones in
  ///       zones.interactor.listener = self.interactor
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// It is work bound to this router's interactor, as `run` is: cancelled when the interactor resigns, named in events and
  /// snapshots. A child that is ready too late is discarded, and never attached.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - build: makes the child, on any thread beside the tree, and keeps no reference to it. An error it throws reaches
  ///     the interactor's `didFail(_:of:)` and the tree's events.
  ///   - connect: called with the child on the tree, right before it is attached; never when it is discarded. If it ends this
  ///     activation, the child is discarded too.
  /// - Returns: whether the work was started. Under an inactive interactor, outside a tree, and with a test double as the
  ///   interactor nothing is started, and that is reported.
  @discardableResult
  public final func attach<Child: Routing & SendableMetatype>(
    fileID: StaticString = #fileID, line: UInt = #line,
    preparing build: @escaping @Sendable () async throws -> sending Child,
    connect: @escaping (_ child: Child) -> Void = { _ in }
  ) -> TaskStart {
    guard let interactor = interactorForWork else { return .inactive }
    let origin = TaskOrigin(fileID: fileID, line: line)
    return interactor.start(PreparingTask(origin: origin, build, connect: connect))
  }

  /// Builds a child off the tree and attaches it on the tree, unless work of the same name says otherwise.
  ///
  /// - Parameters:
  ///   - key: names the work; names belong to the interactor, and are shared by `task`, `run` and this.
  ///   - overlap: what happens while work of this name is running; decided before this returns. A child whose work was
  ///     replaced is discarded.
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - build: makes the child, as for the form without a name.
  ///   - connect: called with the child on the tree, right before it is attached; never when it is discarded.
  /// - Returns: what became of the request.
  @discardableResult
  public final func attach<Child: Routing & SendableMetatype>(
    _ key: String, overlap: OverlapPolicy, fileID: StaticString = #fileID, line: UInt = #line,
    preparing build: @escaping @Sendable () async throws -> sending Child,
    connect: @escaping (_ child: Child) -> Void = { _ in }
  ) -> TaskStart {
    guard let interactor = interactorForWork else { return .inactive }
    let origin = TaskOrigin(fileID: fileID, line: line, key: key)
    return interactor.start(PreparingTask(origin: origin, build, connect: connect), overlap)
  }

  /// Builds and attaches many children in order, in slices of time, so that the rest of the tree has its turn in between.
  ///
  /// ```swift
  /// final class FleetRouter: Router<FleetInteractor> {
  ///   private let taxiBuilder: TaxiBuilder
  ///
  ///   init(interactor: FleetInteractor, taxiBuilder: TaxiBuilder) {
  ///     self.taxiBuilder = taxiBuilder
  ///     super.init(interactor: interactor)
  ///   }
  ///
  ///   func show(_ taxis: [Taxi]) {
  ///     attachChildren(for: taxis) { taxi in self.taxiBuilder.build(taxi) }
  ///   }
  /// }
  /// ```
  ///
  /// It is work bound to this router's interactor, and begins when the caller's own turn is over. When the interactor
  /// resigns, the rest is not built. Children that others attach in between stand between these.
  ///
  /// - Parameters:
  ///   - models: what the children are built from, one for each.
  ///   - budget: how long a slice takes on the tree's clock. It is exceeded by the last child of a slice; with zero, each
  ///     child is a slice. Half of a frame of 60 a second by default.
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - build: makes the child for a model, on the tree.
  ///   - finished: called when all are attached.
  /// - Returns: whether the work was started. Under an inactive interactor, outside a tree, and with a test double as the
  ///   interactor nothing is started, and that is reported.
  @discardableResult
  public final func attachChildren<Models: Sequence, Child: Routing>(
    for models: Models, inSlicesOf budget: Duration = .milliseconds(8), fileID: StaticString = #fileID,
    line: UInt = #line, build: @escaping (_ model: Models.Element) -> Child, finished: @escaping () -> Void = {}
  ) -> TaskStart {
    guard let interactor = interactorForWork else { return .inactive }
    let task = TreeTask(origin: TaskOrigin(fileID: fileID, line: line)) {
      guard let now = self.tree?.takeUnretainedValue().now else { return }
      var end = now() + budget
      var isFirst = true
      for model in models {
        if !isFirst, now() >= end {
          await Task.yield()
          end = now() + budget
        }
        isFirst = false
        // Nothing of this activation is built or attached in another one, which may begin while a child is built.
        guard !Task.isCancelled else { return }
        let child = build(model)
        guard !Task.isCancelled else { return }
        self.attachChild(child)
      }
      if !Task.isCancelled { finished() }
    }
    return interactor.start(task)
  }

  /// The interactor, to bind work to. Without one, that is reported.
  private var interactorForWork: Interactor? {
    if interactorCore == nil { report(.taskOutsideTree) }
    return interactorCore?.takeUnretainedValue()
  }
}

/// A bound task that builds a child off the tree, and attaches it on it.
final class PreparingTask<Child: Routing & SendableMetatype>: OffTreeTask {
  private let build: @Sendable () async throws -> sending Child
  private var connect: ((Child) -> Void)?

  init(
    origin: TaskOrigin, _ build: @escaping @Sendable () async throws -> sending Child,
    connect: @escaping (Child) -> Void
  ) {
    self.build = build
    self.connect = connect
    super.init(origin: origin)
  }

  override func makeSwiftTask(on actor: any Actor, _ starter: TaskStarter, _ context: WorkContext) -> Handle? {
    let box = IsolationBox(self)
    let turn = turnToWaitFor()
    return context.task(on: tree?.offTreeExecutor) { [build] in
      do {
        if let turn { await turn.wait() }
        try Task.checkCancellation()
        let child = Prepared(try await build())
        // Nothing waits for it any more: it is released here, which costs the tree nothing.
        try Task.checkCancellation()
        await actor.adopt(child, through: box)
      } catch {
        await actor.end(box, with: error)
      }
    }
  }

  /// The child is here.
  func adopt(_ prepared: Prepared<Child>) {
    let (router, scope) = (node?.takeUnretainedValue(), scope)
    guard let child = prepared.take() else { return }
    finish(throwing: nil) {
      connect?(child)
      // What connects the child may end the scope; the child is discarded then.
      guard scope?.hasEnded == false else { return }
      router?.attachChild(child)
    }
  }

  override func releaseCaptures() { connect = nil }
}

/// Hands over a child that was built off a tree.
///
/// The task that built the child holds what it hands over until the call has returned. It holds this, which is empty by
/// then, so that the last reference to the child is never released off the tree.
final class Prepared<Child> {
  private var child: Child?

  init(_ child: consuming Child) { self.child = child }

  func take() -> Child? {
    defer { child = nil }
    return child
  }
}
