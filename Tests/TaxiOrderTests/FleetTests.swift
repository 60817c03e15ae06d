import RIBs
import Testing

@testable import TaxiOrder

@Suite("A fleet of taxis")
struct FleetTests {
  @Test("sends no request from a RIB that is not active, and shows the final state exactly")
  @MainActor
  func picture() async throws {
    let fleet = FleetWatch(taxis: 3, orders: 8, speed: 1_000_000)
    let presenter = RecordingFleet()
    let last = await fleet.run(presenter, measure: { ScreenSize(columns: 80, rows: 24) })
    #expect(fleet.requestsFromInactive == 0)
    #expect(presenter.shown.last == last)
    #expect(last.ended == 8)
    #expect(last.taxis == [nil, nil, nil])
    #expect(last.size == ScreenSize(columns: 80, rows: 24))
    #expect(presenter.news.count { if case .ended = $0.event { true } else { false } } == 8)
  }

  @Test("reduces events to one state")
  func logic() {
    let stream = UnidirectionalStream<FleetLogic>(input: FleetLogic.Input(), state: FleetLogic.State(taxis: 2))
    let trip = Trip.invented(seed: 1)
    func report(_ seconds: Int, _ taxi: Int, _ event: FleetNews.Event) {
      stream.input.news.accept(FleetNews(time: .seconds(seconds), taxi: taxi, order: 1, event: event))
    }
    report(1, 1, .began(trip))
    report(2, 1, .entered(.underWay))
    report(3, 1, .showed("a line\u{1B}[2J"))
    var picture = stream.output.picture.value
    #expect(picture.taxis.first == .some(nil))
    #expect(picture.taxis.last??.stage == .underWay)
    #expect(picture.taxis.last??.since == .seconds(2))
    #expect(picture.taxis.last??.line.contains("\u{1B}") == false)
    #expect(picture.time == .seconds(3))
    report(4, 1, .ended(.completed(charged: Cents(1_250))))
    report(5, 0, .began(trip))
    report(6, 0, .ended(.failed("no taxi")))
    stream.input.size.accept(ScreenSize(columns: 10, rows: 5))
    picture = stream.output.picture.value
    #expect(picture.summary == "2 orders: 1 completed, 0 cancelled, 1 failed; 12.50 charged")
    #expect(picture.taxis == [nil, nil])
    #expect(picture.size == ScreenSize(columns: 10, rows: 5))
    stream.dispose()
  }
}

/// Records what it shows.
private final class RecordingFleet: FleetPresentable {
  private(set) var news: [FleetNews] = []
  private(set) var shown: [FleetPicture] = []

  func report(_ news: FleetNews) { self.news.append(news) }
  func show(_ picture: FleetPicture) { shown.append(picture) }
}
