// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting

/// A child of a list that writes down what happens to it.
final class RowRouter: Router<ProbeInteractor>, ModelRouting {
  let id: Int
  var onNearness: (RowRouter) -> Void = { _ in }
  private let transcript: Transcript

  init(_ id: Int, in transcript: Transcript) {
    self.id = id
    self.transcript = transcript
    super.init(interactor: ProbeInteractor("\(id)", in: transcript))
  }

  deinit { transcript.write("\(id) deinit") }

  func didUpdate(to row: Row, from previous: Row) {
    transcript.write("\(id): \(previous.text) → \(row.text)")
  }

  func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {
    transcript.write("\(id): \(previous) → \(nearness)")
    onNearness(self)
  }
}

/// A router with a list of rows.
final class ListRouter: Router<ProbeInteractor> {
  var onBuild: (ListRouter, RowRouter) -> Void = { _, _ in }
  let transcript: Transcript

  lazy var list = ChildList<Row>(of: self) { router, row in
    router.transcript.write("build \(row.id)")
    let child = RowRouter(row.id, in: router.transcript)
    router.onBuild(router, child)
    return child
  }

  init(in transcript: Transcript) {
    self.transcript = transcript
    super.init(interactor: ProbeInteractor("list"))
  }

  /// Runs a closure when a row becomes active.
  func whenActive(_ id: Int, _ body: @escaping (ListRouter) -> Void) {
    onBuild = { router, child in if child.id == id { child.interactor.onActive = { _ in body(router) } } }
  }

  /// Becomes active by hand.
  func start() {
    interactor.activate()
    load()
  }

  /// Updates the list to rows without texts, which must not fail.
  func show(_ ids: [Int]) {
    do { try list.update(ids.map { Row($0) }) } catch { transcript.write("\(error)") }
  }

  func row(_ id: Int) -> RowRouter? { list[id: id] as? RowRouter }

  /// The rows as they stand among the children; other children are named.
  var rows: [String] { children.map { ($0 as? RowRouter)?.interactor.name ?? ($0 as? ProbeRouter)?.name ?? "?" } }
}

extension TestTree {
  /// Launches a router with a list of rows, and leaves out what happens then.
  func launchRows(_ ids: [Int] = []) -> ListRouter {
    let router = launch(ListRouter(in: transcript))
    router.show(ids)
    skip()
    return router
  }

  /// Ends the tree, in which the rows resign, the last first.
  func finish(_ parent: ListRouter) {
    finish(expecting: parent.rows.reversed().map { "\($0) resigns true" }.joined(separator: "\n"))
  }
}
