// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import RIBs
import Testing

@testable import TaxiOrder
@testable import taxi
@testable import TaxiSimulation

@Suite("taxi watch", .folded)
struct WatchTests {
  @Test("writes events as lines without a terminal, in order for each taxi")
  func lines() async throws {
    let run = await RecordingTerminal.run("watch", "--orders", "45", "--taxis", "4", "--speed", "1000000")
    #expect(run.status == 0)
    #expect(run.error.isEmpty)
    let lines = run.out.split(separator: "\n").map(String.init)
    for order in 1...45 {
      let own = lines.filter { $0.contains("  order \(order)  ") }
      let events = own.map { $0.components(separatedBy: "  ").last ?? "" }
      #expect(events.dropFirst().first == "logged out", "order \(order)")
      #expect(events.contains("under way"), "order \(order)")
      #expect(events.last?.hasPrefix("completed") == true, "order \(order)")
      #expect(Set(own.map { $0.components(separatedBy: "  ").dropFirst().first }).count == 1, "order \(order)")
    }
    #expect(lines.last?.hasPrefix("45 orders: 45 completed, 0 cancelled, 0 failed; ") == true)
  }

  @Test("counts failures", arguments: [("no-taxi", "3 failed"), ("rider-cancels-search", "3 cancelled")])
  func faults(fault: String, text: String) async {
    let run = await RecordingTerminal.run("watch", "--orders", "3", "--speed", "1000000", "--fault", fault)
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

  @Test("is parsed from the command line")
  func options() throws {
    var options = WatchOptions()
    #expect(try TaxiCommand(["watch"]) == .watch(options))
    (options.taxis, options.orders, options.speed, options.seed) = (2, 3, 4, 5)
    (options.fault, options.faultRate, options.isInspected) = (.noTaxi, 0.5, true)
    let arguments = [
      "--taxis", "2", "--orders=3", "--speed", "4", "--seed", "5", "--fault", "no-taxi", "--fault-rate", "0.5",
      "--inspect",
    ]
    #expect(try TaxiCommand(["watch"] + arguments) == .watch(options))
    #expect(try TaxiCommand(["watch", "--help"]) == .help(.watch))
    for (arguments, message) in [
      (["--taxis", "0"], "'--taxis 0': a fleet has 1 to 1000 taxis"),
      (["--taxis", "1001"], "'--taxis 1001': a fleet has 1 to 1000 taxis"),
      (["--orders", "none"], "'--orders none': the number is 1 or more"),
      (["--speed", "0"], "'--speed 0': a speed is a whole number, 1 or more"),
      (["--taxi", "1"], "unknown option '--taxi'; did you mean '--taxis'?"),
      (["3"], "'watch' takes no '3'; set the number with '--taxis N'"),
    ] {
      let error = #expect(throws: UsageError.self) { try TaxiCommand(["watch"] + arguments) }
      #expect(error?.description == message)
    }
  }
}
