// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import TaxiOrder
@testable import TaxiSimulation

/// The trip file that the tests share with the documentation. `FixtureTests` checks its content.
enum Fixture {
  static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../TaxiOrderTests/Fixtures/trips.csv").standardized.path

  static func trips() throws -> [Trip] {
    try rows().compactMap { row in
      if case .trip(let trip) = row { trip } else { nil }
    }
  }

  /// The messages about its malformed rows.
  static func messages() throws -> [String] {
    try rows().compactMap { row in
      if case .rejected(let row) = row { row.description } else { nil }
    }
  }

  private static func rows() throws -> [TripReader.Row] {
    var reader = try TripReader(FileSource(path: path))
    var rows: [TripReader.Row] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }
}
