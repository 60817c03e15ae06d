// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("A fleet of taxis", .folded)
struct FleetTests {
  @Test("sends no request from a RIB that is not active, and shows the final state exactly")
  @MainActor
  func viewModel() async throws {
    let fleet = FleetWatch(taxis: 3, orders: 8, speed: 1_000_000, inspector: TestTree.inspector)
    let presenter = RecordingFleet()
    let last = await fleet.run(presenter, measure: { ScreenSize(columns: 80, rows: 24) })
    #expect(fleet.requestsFromInactive == 0)
    #expect(presenter.shown.last == last)
    #expect((last.ended, last.taxis, last.size) == (8, [nil, nil, nil], ScreenSize(columns: 80, rows: 24)))
    #expect(presenter.events.count { if case .ended = $0.kind { true } else { false } } == 8)
  }

  @Test("reduces events to one state", .noTrees)
  func logic() {
    let stream = UnidirectionalStream<FleetLogic>(input: FleetLogic.Input(), state: FleetLogic.State(taxis: 2))
    let trip = Trip.generated(seed: 1)
    func report(_ seconds: Int, _ taxi: Int, _ kind: FleetEvent.Kind) {
      stream.input.events.accept(FleetEvent(time: .seconds(seconds), taxi: taxi, order: 1, kind: kind))
    }
    report(1, 1, .began(trip))
    report(2, 1, .entered(.underWay))
    report(3, 1, .showed("a line\u{1B}[2J"))
    var viewModel = stream.output.viewModel.value
    #expect(viewModel.taxis.first == .some(nil))
    #expect((viewModel.taxis.last??.stage, viewModel.taxis.last??.since) == (.underWay, .seconds(2)))
    #expect(viewModel.taxis.last??.line.contains("\u{1B}") == false)
    #expect(viewModel.time == .seconds(3))
    report(4, 1, .ended(.completed(charged: Cents(1_250))))
    report(5, 0, .began(trip))
    report(6, 0, .ended(.failed(reason: "no taxi")))
    stream.input.size.accept(ScreenSize(columns: 10, rows: 5))
    viewModel = stream.output.viewModel.value
    #expect(viewModel.summary == "2 orders: 1 completed, 0 cancelled, 1 failed; 12.50 charged")
    #expect((viewModel.taxis, viewModel.size) == ([nil, nil], ScreenSize(columns: 10, rows: 5)))
    stream.dispose()
  }
}

/// Records what it shows.
private final class RecordingFleet: FleetPresentable {
  private(set) var events: [FleetEvent] = []
  private(set) var shown: [FleetViewModel] = []

  func report(_ event: FleetEvent) { events.append(event) }
  func show(_ viewModel: FleetViewModel) { shown.append(viewModel) }
}
