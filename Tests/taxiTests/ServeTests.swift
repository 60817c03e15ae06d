// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import taxi

@Suite("taxi serve", .onOwnThread)
struct ServeTests {
  /// The output of the program and its exit status, if it gets a signal when its sessions are open.
  private func run(_ arguments: String..., signal: Int32 = SIGTERM) throws -> (lines: [String], status: Int32) {
    let taxi = try TaxiProcess(["serve"] + arguments)
    var lines: [String] = []
    repeat {
      lines.append(try #require(try taxi.waitForLine(), "the program has ended"))
    } while lines.last?.contains("sessions are open") == false
    taxi.send(signal: signal)
    let result = try taxi.result()
    #expect(result.error.isEmpty)
    return (lines + result.out.split(separator: "\n").map(String.init), result.status)
  }

  @Test("shuts down all trees on a termination signal", arguments: [SIGTERM, SIGINT])
  func ends(signal: Int32) throws {
    let run = try run("--sessions", "5", signal: signal)
    #expect((run.status, run.lines.count) == (0, 8))
    #expect(run.lines.first?.hasPrefix("5 sessions are open") == true)
    #expect(run.lines.filter { $0.contains(" ends after ") }.count == 5)
    #expect(run.lines.last == "all sessions have ended")
  }

  @Test("lists tasks that don't end, and ends all the same")
  func stuck() throws {
    let run = try run("--sessions", "2", "--stuck")
    #expect(run.status == 1)
    #expect(run.lines.contains { $0.hasPrefix("stuck: Session (#1): upload (SessionInteractor.swift:") })
    #expect(run.lines.last == "all sessions have ended, but not all of their work")
  }

  @Test("writes each event as a line")
  func events() throws {
    let run = try run("--sessions", "1", "--events")
    #expect(run.status == 0)
    let kinds = run.lines.filter { $0.contains(" Session ") }.map { $0.split(separator: " ")[2] }
    #expect(
      kinds == [
        "attached", "activated", "workerStarted", "taskStarted", "loaded", "workerStopped", "resigned", "ended",
        "taskEnded",
      ])
    #expect(run.lines.contains { $0.contains("Session workerStarted Heartbeat") })
  }
}
