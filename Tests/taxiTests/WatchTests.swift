// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import RIBs
import TestSupport
import Testing

@testable import TaxiOrder
@testable import taxi
@testable import TaxiSimulation

@Suite("taxi watch", .folded)
struct WatchTests {
  @Test("writes events as lines without a terminal, in order for each taxi")
  func lines() async throws {
    let orders = Thoroughness.count(usual: 20, share: 45, whole: 45)
    let run = await RecordingTerminal.run("watch --orders \(orders) --taxis 4 --speed 1000000")
    #expect((run.status, run.error) == (0, ""))
    let lines = run.out.split(separator: "\n").map(String.init)
    for order in 1...orders {
      let own = lines.filter { $0.contains("  order \(order)  ") }
      let events = own.map { $0.components(separatedBy: "  ").last ?? "" }
      #expect(events.dropFirst().first == "logged out", "order \(order)")
      #expect(events.contains("under way"), "order \(order)")
      #expect(events.last?.hasPrefix("completed") == true, "order \(order)")
      let taxis = Set(own.map { line in line.components(separatedBy: "  ").dropFirst().first })
      #expect(taxis.count == 1, "order \(order)")
    }
    #expect(lines.last?.hasPrefix("\(orders) orders: \(orders) completed, 0 cancelled, 0 failed; ") == true)
  }

  @Test("counts failures", arguments: [("no-taxi", "3 failed"), ("rider-cancels-search", "3 cancelled")])
  func faults(fault: String, text: String) async {
    let run = await RecordingTerminal.run("watch --orders 3 --speed 1000000 --fault \(fault)")
    #expect(run.out.split(separator: "\n").last?.contains(text) == true, "\(run.out)")
  }

  @Test("draws lines that fit the screen, whatever its size")
  @MainActor
  func screens() {
    var viewModel = FleetViewModel(taxis: 3)
    viewModel.taxis[1] = .init(number: 7, route: "Elm Court to Mill Pond", stage: .underWay, since: .zero, line: "…")
    viewModel.time = .seconds(75)
    let root = Router(interactor: Interactor())
    for _ in 0..<30 { root.attachChild(Router(interactor: Interactor())) }
    let snapshot = Tree(root: root).snapshot()
    let screen = FleetScreen(style: TextStyle(usesColor: false))
    for columns in [0, 1, 2, 10, 79, 80, 200] {
      for rows in [1, 2, 5, 24, 36, 37, 60] {
        let lines = screen.lines(viewModel, tree: snapshot, size: ScreenSize(columns: columns, rows: rows))
        #expect(lines.count == min(rows, 37))
        #expect(lines.allSatisfy { $0.count <= columns }, "\(columns) by \(rows)")
      }
    }
    #expect(
      screen.lines(viewModel, tree: nil, size: .fallback) == [
        "1:15  0 orders: 0 completed, 0 cancelled, 0 failed; 0.00 charged", "",
        "taxi 1  free", "taxi 2  order 7     under way   1:15    Elm Court to Mill Pond  …", "taxi 3  free", "",
      ])
  }
}
