// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import TaxiOrder
@testable import TaxiSimulation

/// The trip file that the tests share with the documentation: made-up rows, half of them malformed.
enum Fixture {
  static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/trips.csv").path

  static func rows() throws -> [TripReader.Row] {
    var reader = try TripReader(FileSource(path: path))
    var rows: [TripReader.Row] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  static func trips() throws -> [Trip] {
    try rows().compactMap { row in
      if case .trip(let trip) = row { trip } else { nil }
    }
  }
}
