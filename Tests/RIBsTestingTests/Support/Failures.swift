// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

/// Expects one failure while a closure runs.
func expectFailure(_ text: String, at place: SourceLocation = #_sourceLocation, _ body: () throws -> Void) rethrows {
  let found = try failures(body)
  #expect(found == [text], sourceLocation: place)
}

/// The failures reported while a closure runs.
func failures(_ body: () throws -> Void) rethrows -> [String] {
  let found = Found()
  try withFailureHandler({ found.add($0) }, body)
  return found.texts
}

/// The failures reported while an asynchronous closure runs.
nonisolated(nonsending) func failures(
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [String] {
  let found = Found()
  try await withFailureHandler({ found.add($0) }, body)
  return found.texts
}

private final class Found: Sendable {
  private let failures = Locked<[TestFailure]>([])

  func add(_ failure: TestFailure) { failures.withLock { $0.append(failure) } }

  var texts: [String] { failures.withLock { $0.map(\.description) } }
}
