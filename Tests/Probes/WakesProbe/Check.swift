// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs

/// Saves sleeping trees, wakes them by processes that are killed, and compares what rang.
struct Check {
  let directory: String
  let count: Int
  let kills: Int
  let forgets: Bool

  private struct Ring {
    let id: Int
    let number: Int
    /// When it had to ring, and when it rang, in microseconds.
    let time, rang: Int64
  }

  func run() throws -> Bool {
    // The trees are saved before the first has to ring: about a thousand in a second on a slow disk.
    let first = WallTime.now + .seconds(5 + count / 1_000)
    _ = try start(["save", directory, "\(count)", "\(first.microsecondsSince1970)"], output: nil).wait()
    let rings = directory + "-rings"
    _ = FileManager.default.createFile(atPath: rings, contents: nil)
    if first > .now { Thread.sleep(forTimeInterval: (first - .now) / .seconds(1)) }
    var (killed, memory, random) = (0, 0, SystemRandomNumberGenerator())
    var (isDone, looks) = (false, 0)
    let end = WallTime.now + .seconds(120 + count / 200)
    while !isDone, WallTime.now < end {
      let server = try start(["serve", directory] + (forgets ? ["forgets"] : []), output: rings)
      let life =
        WallTime.now + (killed < kills ? .milliseconds(Int.random(in: 200...2_000, using: &random)) : .seconds(600))
      while WallTime.now < min(life, end), !isDone {
        Thread.sleep(forTimeInterval: 0.2)
        memory = max(memory, server.memory)
        looks += 1
        // Reading takes time that the server needs.
        guard killed >= kills, looks.isMultiple(of: 10) else { continue }
        isDone = Set(try read(rings).map { $0.id * 2 + $0.number - 1 }).count == 2 * count
        // Nothing rings any more: what is missing is lost.
        if forgets, WallTime.now > first + .seconds(45) { isDone = true }
      }
      server.kill()
      killed += 1
    }
    return report(try read(rings), killed, memory)
  }

  private func report(_ rings: [Ring], _ killed: Int, _ memory: Int) -> Bool {
    let early = rings.filter { $0.rang < $0.time }
    var numbers: [Int: Set<Int>] = [:]
    for ring in rings { numbers[ring.id, default: []].insert(ring.number) }
    let missing = (0..<count).filter { numbers[$0] != [1, 2] }
    let late = rings.map { $0.rang - $0.time }.sorted()
    func milliseconds(_ share: Double) -> Int64 { late.isEmpty ? 0 : late[Int(Double(late.count - 1) * share)] / 1_000 }
    print(
      """
      \(count) trees slept, and rang \(rings.count) times; \(killed) processes were killed; \(memory >> 10) MB at most
      late by \(milliseconds(0.5)) ms (p50), \(milliseconds(0.99)) ms (p99), \(milliseconds(1)) ms (longest)
      """)
    for ring in early.prefix(5) { print("FAILED: \(ring.id) rang \(ring.time - ring.rang) µs early") }
    for id in missing.prefix(5) { print("FAILED: \(id) rang \(numbers[id]?.sorted() ?? []), and not [1, 2]") }
    return early.isEmpty && missing.isEmpty
  }

  private func read(_ path: String) throws -> [Ring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ").compactMap { Int64($0) }
      return fields.count == 4
        ? Ring(id: Int(fields[0]), number: Int(fields[1]), time: fields[2], rang: fields[3]) : nil
    }
  }

  private func start(_ arguments: [String], output: String?) throws -> Child {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardInput = Pipe()
    if let output {
      let file = FileHandle(forWritingAtPath: output)
      _ = try file?.seekToEnd()
      process.standardOutput = file
    }
    try process.run()
    return Child(process: process)
  }
}

private struct Child {
  let process: Process

  func wait() { process.waitUntilExit() }

  func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The memory in kilobytes.
  var memory: Int {
    let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
}
