import RIBs

/// A child of a list that writes down what happens to it.
final class RowRouter: Router<ProbeInteractor>, ModelRouting {
  let id: Int
  var onUpdate: (RowRouter) -> Void = { _ in }
  var onNearness: (RowRouter) -> Void = { _ in }
  private let log: Log

  init(_ id: Int, _ log: Log) {
    self.id = id
    self.log = log
    super.init(interactor: ProbeInteractor("\(id)", log))
  }

  deinit { log.lines.append("\(id) deinit") }

  func didUpdate(to row: Row, from previous: Row) {
    log.lines.append("\(id): \(previous.text) → \(row.text)")
    onUpdate(self)
  }

  func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {
    log.lines.append("\(id): \(previous) → \(nearness)")
    onNearness(self)
  }
}

/// A router with a list of rows.
final class ListRouter: Router<Scripted.Interactor> {
  var onBuild: (ListRouter, RowRouter) -> Void = { _, _ in }
  let log: Log

  lazy var list = ChildList<Row>(of: self) { router, row in
    router.log.lines.append("build \(row.id)")
    let child = RowRouter(row.id, router.log)
    router.onBuild(router, child)
    return child
  }

  init(_ log: Log = Log()) {
    self.log = log
    super.init(interactor: Scripted.Interactor())
  }

  func start() {
    interactor.activate()
    load()
  }

  /// Updates the list to rows without texts, which must not fail.
  func show(_ ids: [Int]) {
    do { try list.update(ids.map { Row($0) }) } catch { log.lines.append("\(error)") }
  }

  func row(_ id: Int) -> RowRouter? { list[id: id] as? RowRouter }

  /// The rows as they stand among the children; other children are named.
  var rows: [String] { children.map { ($0 as? RowRouter)?.interactor.name ?? ($0 as? ProbeRouter)?.name ?? "?" } }
}
