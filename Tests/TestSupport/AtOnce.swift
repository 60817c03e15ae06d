// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Does the same for each number, all at the same time.
package func atOnce(_ numbers: Range<Int>, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
  try await withThrowingTaskGroup { group in
    for number in numbers { group.addTask { try await body(number) } }
    try await group.waitForAll()
  }
}
