// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("The log of failures that the program does not handle")
struct FailureLogTests {
  private let log = FailureLog(of: "order-17:Root")

  private func lines(_ count: Int, at time: Duration) -> [String] {
    (0..<count).flatMap { _ in log.lines(for: "failure", at: time) }
  }

  private func note(_ time: Duration) -> String {
    "RIBs: order-17:Root: 10 failures were written. For the next \(time), more are only counted. "
      + "Set TreeConfiguration.onFailure to receive all."
  }

  private func count(_ number: Int) -> String {
    "RIBs: order-17:Root: \(number) more failure\(number == 1 ? " was" : "s were") not written."
  }

  private let ten = Array(repeating: "failure", count: 10)

  @Test("has each failure as long as they are few")
  func few() {
    for minute in 0..<100 {
      #expect(lines(10, at: .seconds(60 * minute)) == ten)
    }
    #expect(log.lastLines().isEmpty)
  }

  @Test("has ten failures in ten seconds, says that it counts the others, and how many they were")
  func many() {
    #expect(lines(1_000, at: .seconds(3)) == ten + [note(.seconds(10))])
    #expect(lines(5, at: .milliseconds(12_999)).isEmpty)
    // The next period is twice as long.
    #expect(lines(11, at: .seconds(13)) == [count(995)] + ten + [note(.seconds(20))])
    // A failure after a quiet time is as good as a first one.
    #expect(lines(12, at: .seconds(3_600)) == [count(1)] + ten + [note(.seconds(10))])
    #expect(log.lastLines() == [count(2)])
    #expect(log.lastLines().isEmpty)
  }

  @Test("has the failure that ends the tree, whatever was written before")
  func last() {
    #expect(lines(11, at: .zero).count == 11)
    #expect(log.lines(for: "the end", endsTree: true, at: .zero) == [count(1), "the end"])
  }

  @Test("has a few lines an hour of a tree that fails ten times a second for a day, and loses no failure")
  func day() {
    var (written, counted, hours) = (0, 0, [Int](repeating: 0, count: 24))
    func read(_ lines: [String]) {
      for line in lines {
        if line == "failure" { written += 1 }
        if line.contains("more failure") {
          counted += line.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        }
      }
    }
    for tenth in 0..<(24 * 3600 * 10) {
      let lines = log.lines(for: "failure", at: .milliseconds(100 * tenth))
      read(lines)
      hours[tenth / 36_000] += lines.count
    }
    read(log.lastLines())
    #expect(written + counted == 24 * 36_000)
    #expect(hours[0] <= 110)
    #expect(hours.dropFirst().allSatisfy { $0 <= 24 })
  }

  @Test("is written to standard error, with the number of failures that it lacks when the tree ends")
  func standardError() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let journal = Journal()
      let host = await TreeHost(configuration: TreeConfiguration(name: "order-17")) { Router(interactor: Interactor()) }
      try await host.perform { root in
        for _ in 0..<1_000 {
          root.interactor.task {
            journal.write("fails")
            throw Failure()
          }
        }
      }
      await journal.wait(for: "fails", count: 1_000)
      // The calls after the work: its errors have been handled.
      for _ in 0..<2 { try await host.perform { _ in await Task.yield() } }
      await host.shutdown()
    }
    let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("RIBs: order-17:") }
    #expect(lines.count == 12)
    #expect(lines.count { $0.contains(" failed: Failure. Override didFail(_:of:)") } == 10)
    #expect(lines.dropFirst(10).first?.contains("10 failures were written.") == true)
    #expect(lines.last?.hasSuffix(": 990 more failures were not written.") == true)
  }
}
