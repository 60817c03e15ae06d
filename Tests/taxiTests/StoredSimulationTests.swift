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
  private let folder: TemporaryFolder
  /// The path of a directory that does not exist at the beginning.
  private var directory: String { folder.path + "/trips" }

  init() throws { folder = try TemporaryFolder() }

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

  /// The orders that `taxi orders` lists, without an error.
  private func listed() async throws -> [Line] {
    let run = await RecordingTerminal.run("orders --store \(directory) --format json")
    #expect((run.status, run.error) == (0, ""))
    return try lines(run.out)
  }

  /// Simulates orders in the directory.
  private func simulate(_ orders: Int, _ options: String = "") async -> (status: Int32, out: String, error: String) {
    await RecordingTerminal.run("simulate --orders \(orders) --store \(directory) \(options)")
  }

  /// The summary of as many orders that are not stored.
  private func whole(_ orders: Int) async throws -> Summary {
    try Summary(await RecordingTerminal.run("simulate --orders \(orders) --format json").out)
  }

  /// The number of orders that have begun and not ended.
  private func openOrders() throws -> Int {
    try SimulationFiles(directory: directory).backends().count { $0.backend.report == nil }
  }

  /// Sends a signal to a process as soon as a number of orders have ended. Polls the directory.
  private func send(_ signal: Int32, to taxi: TaxiProcess, whenEnded count: Int) {
    let asleep = directory + "/order/asleep"
    while ((try? FileManager.default.contentsOfDirectory(atPath: asleep))?.count ?? 0) < count { usleep(500) }
    taxi.send(signal: signal)
  }

  @Test(
    "ends like an uninterrupted one when its process is killed again and again",
    arguments: ["", "--fault-rate 0.7 --fleet 2"])
  func kill(options: String) async throws {
    let (orders, kills) = Thoroughness.isExhaustive ? (80, [1, 12, 30, 55]) : (40, [6, 27])
    let command = "simulate --orders \(orders) --seed 5 --format json \(options)"
    let stored = words("\(command) --store \(directory)")
    let whole = try Summary(TaxiProcess(words(command)).result().out)
    var open = 0
    for ended in kills {
      let taxi = try TaxiProcess(stored)
      // Stopped, so that it has not ended before it is killed, however long the list takes.
      send(SIGSTOP, to: taxi, whenEnded: ended)
      #expect(try await listed().count { $0.isAwake == false } >= ended)
      taxi.send(signal: SIGKILL)
      #expect(try taxi.result().status == SIGKILL)
      _ = try await listed()
      open += try openOrders()
    }
    #expect(open > 0)
    let last = try TaxiProcess(stored).result()
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
    let saved = try await listed()
    #expect(saved.map(\.id) == (1...orders).map { "\($0)" })
    #expect(saved.allSatisfy { $0.isAwake == false })
    #expect(saved.count { $0.state == "completed" } == whole.completed)
  }

  @Test("is continued after an interrupt, which saves the running orders")
  func interrupt() async throws {
    let whole = try await whole(30)
    let arguments = words("simulate --orders 30 --format json --store \(directory)")
    let taxi = try TaxiProcess(arguments)
    send(SIGTERM, to: taxi, whenEnded: 15)
    let first = try taxi.result()
    #expect(first.status == 143)
    let summary = try Summary(first.out)
    #expect((1..<30).contains(summary.orders))
    // An interrupted order is open, not cancelled.
    #expect((summary.completed, summary.leaked) == (summary.orders, 0))
    #expect(first.error == "taxi: not ended: \(30 - summary.orders). The same command continues them.\n")
    let open = try openOrders()
    let second = try TaxiProcess(arguments).result()
    #expect(second.status == 0)
    #expect(
      second.error == """
        taxi: continuing '\(directory)': \(summary.orders) ended, \(open) open, \
        \(30 - summary.orders - open) not begun

        """)
    #expect(try Summary(second.out) == whole)
  }

  @Test("can get more orders, and counts those of earlier processes without running them again")
  func moreOrders() async throws {
    let first = await simulate(3)
    #expect((first.status, first.error) == (0, ""))
    let second = await simulate(5, "--format json")
    #expect(second.error == "taxi: continuing '\(directory)': 3 ended, 0 open, 2 not begun\n")
    #expect(try await Summary(second.out) == whole(5))
    let third = await simulate(5)
    #expect((third.status, third.error) == (0, "taxi: continuing '\(directory)': 5 ended, 0 open, 0 not begun\n"))
    #expect(third.out.contains("\npeakLiveRIBs               0\n"))
    #expect(third.out.contains("\nordersPerSecond          0.0\n"))
  }

  @Test("is listed as a table and as JSON, in the order of the numbers")
  func list() async throws {
    _ = await simulate(11)
    let lines = try await listed()
    let table = await RecordingTerminal.run("orders --store \(directory)")
    #expect((table.status, table.error) == (0, ""))
    #expect(lines.map(\.id) == (1...11).map { "\($0)" })
    #expect(lines[0].charged == "20.99")
    let rows = table.out.split(separator: "\n")
    #expect(rows[0] == "ORDER  STATE      CHARGED  TREE    VERSION  BYTES")
    for (row, line) in zip(rows.dropFirst(), lines) {
      let (charged, version, bytes) = (line.charged ?? "", line.version ?? 0, line.bytes ?? 0)
      let cells: [Substring] = ["\(line.id)", "completed", "\(charged)", "asleep", "\(version)", "\(bytes)"]
      #expect((row.split(separator: " "), row.count) == (cells, rows[0].count))
    }
  }

  @Test("has the state of each order at each stage")
  func states() async throws {
    _ = await simulate(1)
    let file = directory + "/order/asleep/1.json"
    let header = try JSONSerialization.jsonObject(
      with: Data(String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "\n" }.utf8))
    for (options, state) in [
      ("--until logged-out", "logged out"), ("--until selecting", "selecting"), ("--until under-way", "under way"),
      ("--until receipt", "receipt"), ("--until rating", "rating"), ("--until history", "completed"),
      ("--fault no-taxi", "failed"), ("--fault rider-cancels-search", "cancelled"),
    ] {
      // The document of a tree in this state, in the file of the order.
      let tree = directory + "/tree"
      #expect(await RecordingTerminal.run("order --save \(tree) \(options)").status == 0)
      let document = try String(contentsOfFile: tree, encoding: .utf8)
      var line = try #require(header as? [String: Any])
      line["bytes"] = document.utf8.count
      // As a file that was edited by hand.
      line["checksum"] = nil
      let first = String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
      try (first + "\n" + document).write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await listed().map(\.state) == [state])
    }
  }

  @Test("lists damaged files as such, runs the other orders, and leaves the files as they are")
  func damage() async throws {
    _ = await simulate(3)
    let asleep = directory + "/order/asleep/"
    try "junk".write(toFile: asleep + "2.json", atomically: true, encoding: .utf8)
    let text = try String(contentsOfFile: asleep + "3.json", encoding: .utf8)
    let header = try #require(text.split(separator: "\n").first)
      .replacing(/"bytes":[0-9]+,"checksum":"[0-9a-f]+"/, with: #""bytes":2"#)
    try (header + "\n{}").write(toFile: asleep + "3.json", atomically: true, encoding: .utf8)
    let table = await RecordingTerminal.run("orders --store \(directory)")
    #expect(table.status == 65)
    #expect(table.out.hasSuffix("\n    2  damaged\n    3  damaged\n"))
    #expect(table.error.hasPrefix("taxi: \(asleep)2.json is not a record of this store: "))
    #expect(table.error.hasSuffix("taxi: \(asleep)3.json has no saved tree of an order. It is left as it is.\n"))
    let json = await RecordingTerminal.run("orders --store \(directory) --format json")
    #expect(json.status == 65)
    #expect(try lines(json.out).map(\.state) == ["completed", "damaged", "damaged"])
    #expect(try lines(json.out)[1].reason?.contains("it has no header") == true)
    // The orders have no results any more, so they have to be continued.
    for number in [2, 3] { try FileManager.default.removeItem(atPath: directory + "/backend/\(number).json") }
    let run = await simulate(5, "--format json")
    #expect(run.status == 1)
    #expect(run.error.contains("taxi: order 2: \(asleep)2.json is not a record of this store: "))
    #expect(run.error.contains("taxi: order 3: The document is not a saved tree: "))
    #expect(run.error.hasSuffix("taxi: not ended: 2. The same command continues them.\n"))
    #expect(try Summary(run.out).orders == 3)
    #expect(try String(contentsOfFile: asleep + "2.json", encoding: .utf8) == "junk")
    try "junk".write(toFile: directory + "/backend/1.json", atomically: true, encoding: .utf8)
    let backend = await simulate(5)
    #expect(backend.status == 65)
    #expect(backend.error.hasPrefix("taxi: '\(directory)/backend/1.json' is damaged. "))
  }

  @Test("saves no tree before its backend, and tries again when the backend can't be written")
  func unwritableBackend() async throws {
    let whole = try await whole(2)
    _ = await simulate(1)
    let obstacle = directory + "/backend/2.json.tmp"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    let taxi = try TaxiProcess(words("simulate --orders 2 --store \(directory) --format json"))
    #expect(try taxi.waitForErrorLine() == "taxi: continuing '\(directory)': 1 ended, 0 open, 1 not begun")
    #expect(
      try taxi.waitForErrorLine()
        == "taxi: the store has failed, and is tried again: can't write '\(directory)/backend/2.json': Is a directory")
    #expect(try await listed().map(\.id) == ["1"])
    try FileManager.default.removeItem(atPath: obstacle)
    let result = try taxi.result()
    #expect((result.status, result.error) == (0, "taxi: the store has recovered\n"))
    #expect(try Summary(result.out) == whole)
  }

  @Test("is refused with other orders than those that it began with, or fewer")
  func otherOrders() async throws {
    _ = await simulate(2, "--seed 7 --fault no-taxi --fleet 1")
    for (orders, options) in [(2, "--seed 7"), (1, "--seed 7 --fault no-taxi --fleet 1")] {
      let message = """
        taxi: '\(directory)' has a simulation with --orders 2 --seed 7 --fault no-taxi --fleet 1. Repeat these \
        options to continue it, with as many orders or more, or choose another directory.

        """
      #expect(await simulate(orders, options) == (64, "", message))
    }
  }

  @Test("is refused in a directory that is in use, missing, unwritable, or of something else")
  func directories() async throws {
    let list = "orders --store \(directory)"
    let missing = await RecordingTerminal.run(list)
    #expect(missing == (66, "", "taxi: can't read '\(directory)': No such file or directory\n"))
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    try "".write(toFile: directory + "/letter", atomically: true, encoding: .utf8)
    let foreign = await simulate(1)
    let message =
      "taxi: '\(directory)' is not the directory of a simulation. 'taxi simulate --store' begins one in a new or "
      + "empty directory.\n"
    #expect((foreign.status, foreign.error) == (65, message))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["letter"])
    let unlisted = await RecordingTerminal.run(list)
    #expect((unlisted.status, unlisted.error) == (65, message))
    let unwritable = await RecordingTerminal.run("simulate --orders 1 --store \(directory)/letter")
    #expect(unwritable.status == 74)
    #expect(unwritable.error.hasPrefix("taxi: can't write '\(directory)/letter"))
    try FileManager.default.removeItem(atPath: directory + "/letter")
    let store = try FileStore(directory: directory)
    let used = await simulate(1)
    #expect((used.status, used.out) == (69, ""))
    #expect(used.error.hasPrefix("taxi: '\(directory)' is in use by another process: "))
    await store.close()
    // A process that was killed early has left no simulation.
    try FileManager.default.createDirectory(atPath: directory + "/backend", withIntermediateDirectories: false)
    for name in ["backend/letter", "simulation.json.tmp"] {
      try "".write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
    }
    #expect(await simulate(1).status == 65)
    try FileManager.default.removeItem(atPath: directory + "/backend/letter")
    #expect(await simulate(1).status == 0)
  }
}
