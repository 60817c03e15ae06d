// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import Synchronization

/// Where the rows are that a store has written: the `ctid` of each tree that it holds.
///
/// A place is only a hint: the row that is there is compared with the key and the fence. Those of trees that a directory
/// loses are kept until a lease ends.
final class RowPlaces: Sendable {
  private let places = Mutex<[TreeKey: Value]>([:])

  /// - Returns: the records whose rows were written, and where.
  @inline(never)
  func find(_ records: [TreeRecord]) -> (records: [TreeRecord], places: [Value]) {
    places.withLock { places in
      let found = records.compactMap { record in places[record.key].map { (record, $0) } }
      return (found.map(\.0), found.map(\.1))
    }
  }

  /// - Parameter written: where the rows are of those records that were written. Others, and released ones, have no place.
  @inline(never)
  func set(_ written: [TreeKey: Value], of records: [TreeRecord]) {
    places.withLock { places in
      for record in records { places[record.key] = record.isReleased ? nil : written[record.key] }
    }
  }

  @inline(never)
  func forgetAll() { places.withLock { $0 = [:] } }
}
