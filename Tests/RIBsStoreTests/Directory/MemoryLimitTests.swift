// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport
import Testing

@testable import RIBsStore

@Suite("The memory limit of a directory", .timeLimit(.minutes(15)), .tearsDown)
struct MemoryLimitTests {
  private let bank = Bank()
  private let clock = TestClock()
  private let memory = Shared<Int?>(50)

  private func directory() -> TreeDirectory<Int, AccountRouter> {
    bank.directory(
      clock: clock,
      configure: { configuration in
        configuration.memoryLimit = 100
        configuration.residentMemory = { [memory] in memory.value }
      })
  }

  /// Lets one round pass.
  private func round() async {
    await clock.waitForSleeper()
    clock.advance(by: .seconds(1))
    await clock.waitForSleeper()
  }

  /// Waits until the trees have ended that a round has chosen.
  private func wait(for directory: TreeDirectory<Int, AccountRouter>, ids: Set<Int>) async {
    while Set(directory.ids) != ids || directory.count != ids.count { await Task.yield() }
  }

  @Test("ends the trees that have been idle for the longest time, and those only while the process is above it")
  func order() async throws {
    let directory = directory().running().directory
    for id in 0..<64 { try await directory.perform(on: id) { _ in } }
    await round()
    for id in 64..<300 { try await directory.perform(on: id) { _ in } }
    await round()
    #expect(directory.count == 300)
    memory.value = 100
    await round()
    #expect(directory.count == 300)
    memory.value = 101
    await round()
    await wait(for: directory, ids: Set(64..<300))
    memory.value = nil
    await round()
    memory.value = 99
    await round()
    #expect(directory.count == 236)
  }

  @Test("ends all idle trees in time, also if older ones have work")
  func work() async throws {
    let (directory, running) = directory().running()
    for id in 0..<200 { try await directory.perform(on: id) { $0.interactor.begin(1) } }
    await round()
    for id in 200..<300 { try await directory.perform(on: id) { _ in } }
    memory.value = 101
    for _ in 0..<6 { await round() }
    await wait(for: directory, ids: Set(0..<200))
    await running.end()
    bank.gate.open()
  }

  @Test("is compared with the resident memory of the process")
  func reading() throws {
    #if os(Linux)
      let before = try #require(ProcessMemory.resident)
      #expect((1 << 20...1 << 40).contains(before))
      // Memory that is reserved and not used does not count.
      let reserved = UnsafeMutableRawPointer.allocate(byteCount: 1 << 30, alignment: 16)
      defer { reserved.deallocate() }
      #expect(try #require(ProcessMemory.resident) < before + (512 << 20))
      var pages = [UInt8](repeating: 1, count: 64 << 20)
      pages[pages.count / 2] = 2
      #expect(try #require(ProcessMemory.resident) > before + (32 << 20))
      withExtendedLifetime(pages) {}
    #endif
  }
}
