// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTrees
import Hummingbird
import RIBsStore

/// The routes of auctions.
func addRoutes(of auctions: TreeDirectory<String, AuctionRouter>, to trees: RouterGroup<ServerContext>) {
  let auction = trees.group("auctions/:tree")
  auction.get { _, context in
    guard let view = try await auctions.perform(onExisting: context.key, { root in root.interactor.view }) else {
      throw Problem(.notFound, "unknown-auction", "There is no such auction.")
    }
    return try JSON.response(view)
  }
  auction.put { _, context in
    try JSON.response(
      try await auctions.perform(on: context.key) { root in
        root.interactor.setNeedsSave()
        return root.interactor.view
      })
  }
  auction.post("bids/:amount") { _, context in
    guard let amount = context.parameters.get("amount", as: Int.self), amount > 0 else {
      throw Problem.field("amount", "Use cents.")
    }
    let bid = Bid(bidder: context.caller?.id ?? "", amount: amount)
    let isHighest = try await auctions.perform(onExisting: context.key) { root in root.interactor.accept(bid) }
    guard let isHighest else { throw Problem(.notFound, "unknown-auction", "There is no such auction.") }
    guard isHighest else { throw Problem(.conflict, "too-low", "There is a higher bid, or the auction has ended.") }
    return Response(status: .created)
  }
  auction.post("end") { _, context in
    try await auctions.perform(on: context.key) { root in root.interactor.end() }
    return Response(status: .noContent)
  }
  auction.delete { _, context in
    try await auctions.remove(context.key)
    return Response(status: .noContent)
  }
}
