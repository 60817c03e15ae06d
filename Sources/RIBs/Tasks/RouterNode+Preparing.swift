// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension RouterNode {
  /// Builds a child off the tree, and attaches it on the tree when it is ready, if this activation lasts until then.
  ///
  /// Use it for children that take long to build, with builders whose dependencies are `Sendable`. The closure may also
  /// attach the child's own children. Objects of the tree, such as the listener, are set on the tree:
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
  /// It is work bound to this router's interactor, as `run` is: cancelled when the interactor resigns, and named in events
  /// and snapshots. A child that is ready too late is released without being attached.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - build: builds the child, on any thread, and keeps no reference to it. An error it throws is passed to the
  ///     interactor's `didFail(_:of:)` and to the tree's events.
  ///   - connect: called with the child on the tree, right before it is attached. If it ends this activation, the child is
  ///     released without being attached.
  /// - Returns: the handle, which says whether the work was started. While the interactor is inactive, outside a tree, and
  ///   if the interactor is a test double, nothing is started, and that is reported as misuse.
  @discardableResult
  public final func attach<Child: Routing & SendableMetatype>(
    fileID: StaticString = #fileID, line: UInt = #line,
    preparing build: @escaping @Sendable () async throws -> sending Child,
    connect: @escaping (_ child: Child) -> Void = { _ in }
  ) -> BoundWork.Handle {
    prepare(TaskOrigin(fileID: fileID, line: line), nil, build, connect)
  }

  /// Builds a child off the tree and attaches it on the tree, under a key that decides what happens to overlapping work.
  ///
  /// - Parameters:
  ///   - key: the name of the work, unique in the interactor. `task`, `run` and this method share the keys.
  ///   - overlap: what happens while work with this key is running; decided before this returns. A child whose work was
  ///     replaced is released.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - build: builds the child, as for the form without a key.
  ///   - connect: called with the child on the tree, right before it is attached.
  /// - Returns: the handle, which has the decision.
  @discardableResult
  public final func attach<Child: Routing & SendableMetatype>(
    _ key: String, overlap: BoundWork.OverlapPolicy, fileID: StaticString = #fileID, line: UInt = #line,
    preparing build: @escaping @Sendable () async throws -> sending Child,
    connect: @escaping (_ child: Child) -> Void = { _ in }
  ) -> BoundWork.Handle {
    prepare(TaskOrigin(fileID: fileID, line: line, key: key), overlap, build, connect)
  }

  private func prepare<Child: Routing & SendableMetatype>(
    _ origin: TaskOrigin, _ overlap: BoundWork.OverlapPolicy?,
    _ build: @escaping @Sendable () async throws -> sending Child, _ connect: @escaping (Child) -> Void
  ) -> BoundWork.Handle {
    guard let interactor = interactorForWork else { return BoundWork.Handle(nil, .inactive) }
    let task = RunTask<Prepared<Child>>(
      origin: origin,
      body: { task, actor in
        let child = Prepared(try await build())
        // If the child is not needed any more, it is released here, off the tree.
        try Task.checkCancellation()
        await actor.deliver(child, to: task)
      },
      then: { [weak self] prepared in
        guard let child = prepared.take(), let self else { return }
        let scope = interactorCore?.work
        connect(child)
        // `connect` may end the scope.
        if scope?.hasEnded == false { attachChild(child) }
      })
    return interactor.start(task, overlap: overlap)
  }

  /// Builds and attaches many children in order, in slices of time, so that other work of the tree runs in between.
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
  /// It is work bound to this router's interactor, and begins after the calling job. When the interactor resigns, the
  /// remaining children are not built. Children that other code attaches in between keep their positions among these.
  ///
  /// - Parameters:
  ///   - models: the models, one for each child.
  ///   - budget: the duration of a slice on the tree's clock, which the last child of a slice may exceed. With zero, each
  ///     child is a slice. The default is half a frame at 60 frames a second.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - build: builds the child of a model, on the tree.
  ///   - finished: called when all children are attached.
  /// - Returns: the handle, which says whether the work was started. While the interactor is inactive, outside a tree, and
  ///   if the interactor is a test double, nothing is started, and that is reported as misuse.
  @discardableResult
  public final func attachChildren<Models: Sequence, Child: Routing>(
    for models: Models, inSlicesOf budget: Duration = .milliseconds(8), fileID: StaticString = #fileID,
    line: UInt = #line, build: @escaping (_ model: Models.Element) -> Child, finished: @escaping () -> Void = {}
  ) -> BoundWork.Handle {
    guard let interactor = interactorForWork else { return BoundWork.Handle(nil, .inactive) }
    let budget = budget.boundedTimeout
    let task = TreeTask(origin: TaskOrigin(fileID: fileID, line: line)) {
      guard let now = self.tree?.now else { return }
      var end = now() + budget
      var isFirst = true
      for model in models {
        if !isFirst, now() >= end {
          await Task.yield()
          end = now() + budget
        }
        isFirst = false
        // `build` may end this activation and begin another one, which these children do not belong to.
        guard !Task.isCancelled else { return }
        let child = build(model)
        guard !Task.isCancelled else { return }
        self.attachChild(child)
      }
      if !Task.isCancelled { finished() }
    }
    return interactor.start(task)
  }

  /// The interactor, to bind work to. Reports it if there is none.
  private var interactorForWork: Interactor? {
    if interactorCore == nil { report(.taskOutsideTree) }
    return interactorCore
  }
}

/// Transfers a child that was built off a tree.
///
/// The task that built the child retains the argument of the call until the call has returned. It retains this box, which is
/// empty by then, so the last reference to the child is never released off the tree.
final class Prepared<Child> {
  private var child: Child?

  init(_ child: consuming Child) { self.child = child }

  func take() -> Child? { child.take() }
}
