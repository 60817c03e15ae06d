// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("The conformance suite")
struct ConformanceTests {
  @Test("is passed by the store in memory")
  func memory() async {
    await expectConformance(of: { MemoryStore() })
  }

  @Test("is passed by the store in files")
  func files() async throws {
    try await withTemporaryDirectory { directory in
      await expectConformance(of: { try FileStore(directory: directory) }, hasLeases: false) { store in
        await store.close()
        return try FileStore(directory: directory)
      }
    }
  }

  @Test("is passed by a store that survives the process, on the same storage twice")
  func reopened() async {
    let storage = MemoryStore()
    for _ in 0..<2 { await expectConformance(of: { storage }) { $0 } }
  }

  @Test("is passed behind a faulty store without faults")
  func withoutFaults() async {
    await expectConformance(of: { FaultyStore(MemoryStore()) })
  }

  // Side by side, because the rules of leases wait for real time.
  @Test("catches a store that breaks a rule")
  func mistakes() async {
    await withTaskGroup { group in
      for mistake in WrongStore.Mistake.allCases { group.addTask { await expectFound(mistake) } }
    }
  }

  private func expectFound(_ mistake: WrongStore.Mistake) async {
    let failures = await failures {
      await expectConformance(
        of: { WrongStore(mistake) }, hasLeases: mistake != .refusesRenewal, reopening: { $0.reopened() })
    }
    #expect(
      failures.contains { mistake.isFound(in: $0.advice) }, "\(mistake): found only \(failures.map(\.description))")
    #expect(failures.allSatisfy { "\($0.place.fileID)".hasSuffix("ConformanceTests.swift") }, "\(mistake)")
  }

  private func failures(_ body: () async -> Void) async -> [TestFailure] {
    let failures = Shared([TestFailure]())
    await withFailureHandler({ failure in failures.change { $0.append(failure) } }, body)
    return failures.value
  }

  @Test("reports errors of the store, and of its opening")
  func errors() async {
    let failures = await failures {
      await expectConformance(of: { FaultyStore(MemoryStore()) { _ in .failsBeforeEffect } })
      await expectConformance(of: { () async throws -> MemoryStore in throw CancellationError() })
    }
    #expect(failures.contains { $0.message.hasPrefix("The store threw an error: Call 1 of the store, claim") })
    #expect(failures.last?.message.hasPrefix("The store can't be opened") == true)
  }
}
