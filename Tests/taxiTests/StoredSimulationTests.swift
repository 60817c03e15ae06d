// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import TestSupport
import Testing

@testable import TaxiOrder
@testable import taxi
@testable import TaxiSimulation

@Suite("A simulation in a directory", .folded, .onOwnThread)
struct StoredSimulationTests {
  /// Runs a test with the path of a directory that does not exist, in a temporary folder.
  private func withDirectory(_ body: (_ path: String) async throws -> Void) async throws {
    try await withTemporaryDirectory { try await body($0 + "/trips") }
  }

  /// The figures of a summary that don't depend on the time of the run.
  private struct Summary: Decodable, Equatable {
    let orders: Int
    let completed: Int
    let cancelled: Int
    let failed: Int
    let totalCharged: String
    let requestsFromInactive: Int
    let leaked: Int
    var requests: Int

    init(_ json: String) throws { self = try JSONDecoder().decode(Summary.self, from: Data(json.utf8)) }
  }

  private struct Line: Decodable {
    let id: String
    let state: String
    let charged: String?
    let isAwake: Bool?
    let version: Int?
    let bytes: Int?
    let reason: String?
  }

  private func lines(_ json: String) throws -> [Line] {
    try json.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// Sends a signal to a process as soon as a number of orders have ended.
  ///
  /// On a thread of its own, because it polls the directory: a thread of Swift's tasks would be missed by other tests.
  private func send(_ signal: Int32, to taxi: TaxiProcess, whenEnded count: Int, in directory: String) async {
    let (folder, process) = (directory + "/order/asleep", taxi.id)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while ((try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0) < count { usleep(500) }
        Foundation.kill(process, signal)
        continuation.resume()
      }
    }
  }

  @Test(
    "ends like an uninterrupted one when its process is killed again and again",
    arguments: [[], ["--fault-rate", "0.7", "--fleet", "2"]])
  func kill(options: [String]) async throws {
    let (orders, kills) = Thoroughness.isExhaustive ? (80, [1, 12, 30, 55]) : (40, [6, 27])
    let arguments = ["simulate", "--orders", "\(orders)", "--seed", "5", "--format", "json"] + options
    let whole = try Summary(TaxiProcess(arguments).result().out)
    try await withDirectory { directory in
      var open = 0
      for ended in kills {
        let taxi = try TaxiProcess(arguments + ["--store", directory])
        // Stopped, so that it has not ended before it is killed, however long the list takes.
        await send(SIGSTOP, to: taxi, whenEnded: ended, in: directory)
        let listed = await RecordingTerminal.run("orders", "--store", directory, "--format", "json")
        #expect((listed.status, listed.error) == (0, ""))
        #expect(try lines(listed.out).count { $0.isAwake == false } >= ended)
        taxi.send(signal: SIGKILL)
        #expect(try taxi.result().status == SIGKILL)
        let saved = await RecordingTerminal.run("orders", "--store", directory, "--format", "json")
        #expect((saved.status, saved.error) == (0, ""))
        open += try SimulationFiles(directory: directory).backends().count { $0.backend.report == nil }
      }
      #expect(open > 0)
      let last = try TaxiProcess(arguments + ["--store", directory]).result()
      #expect(last.status == 0)
      #expect(last.error.hasPrefix("taxi: continuing '\(directory)': "))
      var summary = try Summary(last.out)
      // A restored tree attempts a failing request again.
      if !options.isEmpty {
        #expect(summary.requests >= whole.requests)
        summary.requests = whole.requests
      }
      #expect(summary == whole)
      let backends = try SimulationFiles(directory: directory).backends()
      #expect(backends.count == orders)
      for (_, backend) in backends {
        let charges = backend.state.payments.values.count { $0 == .paid }
        if case .completed? = backend.report?.outcome { #expect(charges <= 1) } else { #expect(charges == 0) }
      }
      let saved = try lines(await RecordingTerminal.run("orders", "--store", directory, "--format", "json").out)
      #expect(saved.map(\.id) == (1...orders).map { "\($0)" })
      #expect(saved.allSatisfy { $0.isAwake == false })
      #expect(saved.count { $0.state == "completed" } == whole.completed)
    }
  }

  @Test("is continued after an interrupt, which saves the running orders")
  func interrupt() async throws {
    let whole = try Summary(await RecordingTerminal.run("simulate", "--orders", "30", "--format", "json").out)
    try await withDirectory { directory in
      let arguments = ["simulate", "--orders", "30", "--format", "json", "--store", directory]
      let taxi = try TaxiProcess(arguments)
      await send(SIGTERM, to: taxi, whenEnded: 15, in: directory)
      let first = try taxi.result()
      #expect(first.status == 143)
      let summary = try Summary(first.out)
      #expect((1..<30).contains(summary.orders))
      // An interrupted order is open, not cancelled.
      #expect(summary.completed == summary.orders)
      #expect(summary.leaked == 0)
      #expect(first.error == "taxi: not ended: \(30 - summary.orders). The same command continues them.\n")
      let open = try SimulationFiles(directory: directory).backends().count { $0.backend.report == nil }
      let second = try TaxiProcess(arguments).result()
      #expect(second.status == 0)
      #expect(
        second.error == """
          taxi: continuing '\(directory)': \(summary.orders) ended, \(open) open, \
          \(30 - summary.orders - open) not begun

          """)
      #expect(try Summary(second.out) == whole)
    }
  }

  @Test("can get more orders, and counts those of earlier processes without running them again")
  func moreOrders() async throws {
    let whole = try Summary(await RecordingTerminal.run("simulate", "--orders", "5", "--format", "json").out)
    try await withDirectory { directory in
      let first = await RecordingTerminal.run("simulate", "--orders", "3", "--store", directory)
      #expect((first.status, first.error) == (0, ""))
      let second = await RecordingTerminal.run("simulate", "--orders", "5", "--store", directory, "--format", "json")
      #expect(second.error == "taxi: continuing '\(directory)': 3 ended, 0 open, 2 not begun\n")
      let summary = try Summary(second.out)
      #expect(summary == whole)
      let third = await RecordingTerminal.run("simulate", "--orders", "5", "--store", directory)
      #expect((third.status, third.error) == (0, "taxi: continuing '\(directory)': 5 ended, 0 open, 0 not begun\n"))
      #expect(third.out.contains("\npeakLiveRIBs               0\n"))
      #expect(third.out.contains("\nordersPerSecond          0.0\n"))
    }
  }

  @Test("is listed as a table and as JSON, in the order of the numbers")
  func list() async throws {
    try await withDirectory { directory in
      _ = await RecordingTerminal.run("simulate", "--orders", "11", "--store", directory)
      let json = await RecordingTerminal.run("orders", "--store", directory, "--format", "json")
      let table = await RecordingTerminal.run("orders", "--store", directory)
      #expect((json.status, json.error, table.status, table.error) == (0, "", 0, ""))
      let lines = try lines(json.out)
      #expect(lines.map(\.id) == (1...11).map { "\($0)" })
      #expect(lines[0].charged == "20.99")
      let rows = table.out.split(separator: "\n")
      #expect(rows[0] == "ORDER  STATE      CHARGED  TREE    VERSION  BYTES")
      for (row, line) in zip(rows.dropFirst(), lines) {
        let (charged, version, bytes) = (line.charged ?? "", line.version ?? 0, line.bytes ?? 0)
        let cells: [Substring] = ["\(line.id)", "completed", "\(charged)", "asleep", "\(version)", "\(bytes)"]
        #expect(row.split(separator: " ") == cells)
        #expect(row.count == rows[0].count)
      }
    }
  }

  @Test("has the state of each order at each stage")
  func states() async throws {
    try await withDirectory { directory in
      _ = await RecordingTerminal.run("simulate", "--orders", "1", "--store", directory)
      let file = directory + "/order/asleep/1.json"
      let header = try JSONSerialization.jsonObject(
        with: Data(String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "\n" }.utf8))
      let cases: [(options: [String], state: String)] = [
        (["--until", "logged-out"], "logged out"), (["--until", "selecting"], "selecting"),
        (["--until", "under-way"], "under way"), (["--until", "receipt"], "receipt"),
        (["--until", "rating"], "rating"), (["--until", "history"], "completed"),
        (["--fault", "no-taxi"], "failed"), (["--fault", "rider-cancels-search"], "cancelled"),
      ]
      for (options, state) in cases {
        // The document of a tree in this state, in the file of the order.
        let tree = directory + "/tree"
        #expect(await RecordingTerminal.run(["order", "--save", tree] + options).status == 0)
        let document = try String(contentsOfFile: tree, encoding: .utf8)
        var line = try #require(header as? [String: Any])
        line["bytes"] = document.utf8.count
        // As a file that was edited by hand.
        line["checksum"] = nil
        let first = String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
        try (first + "\n" + document).write(toFile: file, atomically: true, encoding: .utf8)
        let saved = try lines(await RecordingTerminal.run("orders", "--store", directory, "--format", "json").out)
        #expect(saved.map(\.state) == [state])
      }
    }
  }

  @Test("lists damaged files as such, runs the other orders, and leaves the files as they are")
  func damage() async throws {
    try await withDirectory { directory in
      _ = await RecordingTerminal.run("simulate", "--orders", "3", "--store", directory)
      let asleep = directory + "/order/asleep/"
      try "junk".write(toFile: asleep + "2.json", atomically: true, encoding: .utf8)
      let text = try String(contentsOfFile: asleep + "3.json", encoding: .utf8)
      let header = try #require(text.split(separator: "\n").first)
        .replacing(/"bytes":[0-9]+,"checksum":"[0-9a-f]+"/, with: #""bytes":2"#)
      try (header + "\n{}").write(toFile: asleep + "3.json", atomically: true, encoding: .utf8)
      let table = await RecordingTerminal.run("orders", "--store", directory)
      #expect(table.status == 65)
      #expect(table.out.hasSuffix("\n    2  damaged\n    3  damaged\n"))
      #expect(table.error.hasPrefix("taxi: \(asleep)2.json is not a record of this store: "))
      #expect(table.error.hasSuffix("taxi: \(asleep)3.json has no saved tree of an order. It is left as it is.\n"))
      let json = await RecordingTerminal.run("orders", "--store", directory, "--format", "json")
      #expect(json.status == 65)
      #expect(try lines(json.out).map(\.state) == ["completed", "damaged", "damaged"])
      #expect(try lines(json.out)[1].reason?.contains("it has no header") == true)
      // The orders have no results any more, so they have to be continued.
      for number in [2, 3] { try FileManager.default.removeItem(atPath: directory + "/backend/\(number).json") }
      let run = await RecordingTerminal.run("simulate", "--orders", "5", "--store", directory, "--format", "json")
      #expect(run.status == 1)
      #expect(run.error.contains("taxi: order 2: \(asleep)2.json is not a record of this store: "))
      #expect(run.error.contains("taxi: order 3: The document is not a saved tree: "))
      #expect(run.error.hasSuffix("taxi: not ended: 2. The same command continues them.\n"))
      #expect(try Summary(run.out).orders == 3)
      #expect(try String(contentsOfFile: asleep + "2.json", encoding: .utf8) == "junk")
      try "junk".write(toFile: directory + "/backend/1.json", atomically: true, encoding: .utf8)
      let backend = await RecordingTerminal.run("simulate", "--orders", "5", "--store", directory)
      #expect(backend.status == 65)
      #expect(backend.error.hasPrefix("taxi: '\(directory)/backend/1.json' is damaged. "))
    }
  }

  @Test("saves no tree before its backend, and tries again when the backend can't be written")
  func unwritableBackend() async throws {
    let whole = try Summary(await RecordingTerminal.run("simulate", "--orders", "2", "--format", "json").out)
    try await withDirectory { directory in
      _ = await RecordingTerminal.run("simulate", "--orders", "1", "--store", directory)
      let obstacle = directory + "/backend/2.json.tmp"
      try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
      let taxi = try TaxiProcess(["simulate", "--orders", "2", "--store", directory, "--format", "json"])
      #expect(try taxi.waitForErrorLine() == "taxi: continuing '\(directory)': 1 ended, 0 open, 1 not begun")
      #expect(
        try taxi.waitForErrorLine().hasPrefix(
          "taxi: the store has failed, and is tried again: can't write '\(directory)/backend/2.json': "))
      let saved = try lines(await RecordingTerminal.run("orders", "--store", directory, "--format", "json").out)
      #expect(saved.map(\.id) == ["1"])
      try FileManager.default.removeItem(atPath: obstacle)
      let result = try taxi.result()
      #expect(result.status == 0)
      #expect(result.error == "taxi: the store has recovered\n")
      #expect(try Summary(result.out) == whole)
    }
  }

  @Test("is refused with other orders than those that it began with, or fewer")
  func otherOrders() async throws {
    try await withDirectory { directory in
      _ = await RecordingTerminal.run(
        "simulate", "--orders", "2", "--seed", "7", "--fault", "no-taxi", "--fleet", "1", "--store", directory)
      for options in [["--seed", "7"], ["--seed", "7", "--fault", "no-taxi", "--fleet", "1", "--orders", "1"]] {
        let run = await RecordingTerminal.run(["simulate", "--orders", "2", "--store", directory] + options)
        #expect((run.status, run.out) == (64, ""))
        #expect(
          run.error == """
            taxi: '\(directory)' has a simulation with --orders 2 --seed 7 --fault no-taxi --fleet 1. Repeat these \
            options to continue it, with as many orders or more, or choose another directory.

            """)
      }
    }
  }

  @Test("is refused in a directory that is in use, missing, unwritable, or of something else")
  func directories() async throws {
    try await withDirectory { directory in
      let missing = await RecordingTerminal.run("orders", "--store", directory)
      #expect((missing.status, missing.out) == (66, ""))
      #expect(missing.error == "taxi: can't read '\(directory)': No such file or directory\n")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      try "".write(toFile: directory + "/letter", atomically: true, encoding: .utf8)
      let foreign = await RecordingTerminal.run("simulate", "--orders", "1", "--store", directory)
      let message =
        "taxi: '\(directory)' is not the directory of a simulation. 'taxi simulate --store' begins one in a new or "
        + "empty directory.\n"
      #expect((foreign.status, foreign.error) == (65, message))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["letter"])
      let unlisted = await RecordingTerminal.run("orders", "--store", directory)
      #expect((unlisted.status, unlisted.error) == (65, message))
      let unwritable = await RecordingTerminal.run("simulate", "--orders", "1", "--store", directory + "/letter")
      #expect(unwritable.status == 74)
      #expect(unwritable.error.hasPrefix("taxi: can't write '\(directory)/letter"))
      try FileManager.default.removeItem(atPath: directory + "/letter")
      let store = try FileStore(directory: directory)
      let used = await RecordingTerminal.run("simulate", "--orders", "1", "--store", directory)
      #expect((used.status, used.out) == (69, ""))
      #expect(used.error.hasPrefix("taxi: '\(directory)' is in use by another process: "))
      await store.close()
      // A process that was killed early has left no simulation.
      #expect(await RecordingTerminal.run("simulate", "--orders", "1", "--store", directory).status == 0)
    }
  }
}
