// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Sample {
  /// All samples in the doc comments of the library of lists.
  static let ofTheLists = inComments(of: "RIBsLists")

  static let lists = """
    struct Offer: Identifiable, Equatable { let id: Int }
    protocol RideRowBuildable { func build(_ ride: Ride) -> any ModelRouting<Ride> }
    protocol OfferRowBuildable { func build(_ offer: Offer) -> any ModelRouting<Offer> }
    final class RidesInteractor: Interactor {}
    final class RideRowInteractor: Interactor {
      func show(_ ride: Ride) {}
      func load() {}
    }
    final class FeedRouter: Router<RidesInteractor> {
      let rideBuilder: RideRowBuildable
      let offerBuilder: OfferRowBuildable
      init(rideBuilder: RideRowBuildable, offerBuilder: OfferRowBuildable) {
        self.rideBuilder = rideBuilder
        self.offerBuilder = offerBuilder
        super.init(interactor: RidesInteractor())
      }
    }

    """
}
