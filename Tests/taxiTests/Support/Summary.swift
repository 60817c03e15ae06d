// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The figures of a summary that don't depend on the time of the run.
struct Summary: Decodable, Equatable {
  let orders: Int
  let completed: Int
  let cancelled: Int
  let failed: Int
  let totalCharged: String
  let requestsFromInactive: Int
  let leaked: Int
  var requests: Int

  init(_ json: String) throws { self = try JSONDecoder().decode(Summary.self, from: Data(json.utf8)) }
}
