// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A bid for the thing of an auction.
public struct Bid: Hashable, Codable, Sendable {
  public let bidder: String
  /// In cents.
  public let amount: Int
}

/// What callers see of an auction.
public struct AuctionView: Hashable, Codable, Sendable {
  public let isOpen: Bool
  public let highest: Bid?
}

/// An auction: the highest bid wins when the seller ends it.
final class AuctionInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    var isOpen = true
    var highest: Bid?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  var view: AuctionView { AuctionView(isOpen: savedState.isOpen, highest: savedState.highest) }

  /// - Returns: false if the bid is not the highest, or the auction has ended.
  func accept(_ bid: Bid) -> Bool {
    guard savedState.isOpen, bid.amount > savedState.highest?.amount ?? 0 else { return false }
    savedState.highest = bid
    return true
  }

  func end() { savedState.isOpen = false }
}

final class AuctionRouter: Router<AuctionInteractor> {}
