// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder

@Suite("The movement of a vehicle")
struct MovementTests {
  @Test(
    "has one of eight headings, or none, and a distance along the blocks",
    arguments: [
      (0, 0, nil, 0), (0, 5, .north, 5), (5, 5, .northEast, 10), (5, 2, .east, 7), (5, 3, .northEast, 8),
      (5, -5, .southEast, 10), (-2, -5, .south, 7), (-5, -5, .southWest, 10), (-5, 0, .west, 5),
      (-5, 4, .northWest, 9),
    ] as [(Int, Int, Movement.Heading?, Int)])
  func headings(east: Int, north: Int, heading: Movement.Heading?, distance: Int) {
    let movement = Movement(from: Position(east: 100, north: -7), to: Position(east: 100 + east, north: north - 7))
    #expect((movement.heading, movement.distance) == (heading, distance))
  }
}
