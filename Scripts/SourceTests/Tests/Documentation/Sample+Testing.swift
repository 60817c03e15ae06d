// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Sample {
  /// All samples in the doc comments of the test kit.
  static let ofTheTestKit = inComments(of: "RIBsTesting")

  /// The sample in the test that it needs.
  func inTest(_ number: Int) -> String {
    let start = code.drop { $0 == " " }
    let isDeclaration = ["final class", "struct", "@Test"].contains(where: start.hasPrefix)
    return isDeclaration
      ? "struct Declared\(number) {\n\(placed)\n}" : "extension Surroundings { func run\(number)() {\n\(placed)\n} }"
  }

  static let test = """
    import Foundation
    import RIBsTesting
    import Testing
    struct Tweet: Sendable { let id: Int }
    struct Trip: Sendable, Equatable {}
    protocol TimelineListener: AnyObject { func timelineDidOpen(_ tweet: Tweet) }
    final class TimelineListenerDouble: ListenerDouble, TimelineListener {
      func timelineDidOpen(_ tweet: Tweet) { record(tweet) }
    }
    protocol TimelineRouting: ViewableRouting {
      func routeToDetail(of tweet: Tweet)
      func routeBackToTimeline()
    }
    protocol TweetDetailListener: AnyObject {}
    protocol TweetDetailRouting: ViewableRouting {}
    final class TweetDetailRoutingDouble: ViewableRoutingDouble, TweetDetailRouting {}
    protocol TweetDetailBuildable: Buildable {
      func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting
    }
    final class TweetDetailBuildableDouble: BuildableDouble<TweetDetailRouting>, TweetDetailBuildable {
      func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting { make(listener, tweet) }
    }
    final class TimelineRouter: Router<PriceInteractor> {
      init(detailBuilder: TweetDetailBuildable) { super.init(interactor: PriceInteractor()) }
    }
    protocol FareService: Sendable { func fare(of trip: Trip) async throws -> Int }
    struct FareServiceDouble: FareService {
      let fares = PendingResponses<Trip, Int>()
      func fare(of trip: Trip) async throws -> Int { try await fares.answer(to: trip) }
    }
    final class PriceInteractor: Interactor { let price = Observable<Int>.never() }
    final class Dependencies: Dependency { init(clock: any Clock<Duration>) {} }
    typealias Ride = Dependencies
    final class FareQuoteBuilder: Builder<Dependencies> {
      func build() -> Router<PriceInteractor> { Router(interactor: PriceInteractor()) }
    }
    typealias RideMeterBuilder = FareQuoteBuilder
    final class RootItemDouble: InteractableDouble {
      func openRide(_ id: Int) -> Observable<(RootItemDouble, Int)> { .just((self, id)) }
    }
    typealias RootWorkflow = Workflow<RootItemDouble>
    struct Surroundings {
      let test = TestTree()
      let router = Router(interactor: PriceInteractor())
      let stranger = Router(interactor: PriceInteractor())
      let interactor = PriceInteractor()
      let listener = TimelineListenerDouble()
      let service = FareServiceDouble()
      let trip = Trip()
      let relay = PublishRelay<Int>()
      let root = RootItemDouble()
    }

    """
}
