// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs

/// Saves sleeping trees, wakes them by processes that are killed, and compares what rang. A PostgreSQL server is killed as
/// well, and is away for five of the ten seconds.
struct Check {
  let location: StoreLocation
  /// The file with what rang.
  let rings: String
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
    let first = WallTime.now + .seconds(5 + count / (location.copiesTrees ? 10_000 : 1_000))
    guard try start(["save", location.text, "\(count)", "\(first.microsecondsSince1970)"], output: nil).wait() == 0
    else {
      print("FAILED: the trees can't be saved")
      return false
    }
    _ = FileManager.default.createFile(atPath: rings, contents: nil)
    if first > .now { Thread.sleep(forTimeInterval: (first - .now) / .seconds(1)) }
    var (killed, memory, random) = (0, 0, SystemRandomNumberGenerator())
    var outage = location.isPostgreSQL ? first + .seconds(3) : nil
    var (isDone, looks) = (false, 0)
    let end = WallTime.now + .seconds(120 + count / 200)
    // Two processes share a server.
    let processes = location.isPostgreSQL ? 2 : 1
    var servers: [Child] = []
    while !isDone, WallTime.now < end {
      let server = try start(["serve", location.text] + (forgets ? ["forgets"] : []), output: rings)
      servers.append(server)
      let life =
        WallTime.now + (killed < kills ? .milliseconds(Int.random(in: 200...2_000, using: &random)) : .seconds(600))
      while WallTime.now < min(life, end), !isDone {
        Thread.sleep(forTimeInterval: 0.2)
        if let time = outage, time < .now {
          outage = nil
          try database("crash")
          Thread.sleep(forTimeInterval: 5)
          try database("start")
        }
        memory = max(memory, server.memory)
        looks += 1
        // Reading takes time that the server needs.
        guard killed >= kills, looks.isMultiple(of: 10) else { continue }
        isDone = Set(try read(rings).map { $0.id * 2 + $0.number - 1 }).count == 2 * count
        // Nothing rings any more: what is missing is lost.
        if forgets, WallTime.now > first + .seconds(30) { isDone = true }
      }
      guard servers.count == processes else { continue }
      servers.removeFirst().kill()
      killed += 1
    }
    for server in servers { server.kill() }
    return report(try read(rings), killed, memory)
  }

  private func database(_ command: String) throws {
    let control = Process()
    control.executableURL = URL(fileURLWithPath: "Scripts/with-postgres")
    control.arguments = ["--control", command]
    control.standardOutput = FileHandle.nullDevice
    try control.run()
    control.waitUntilExit()
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
}

/// Compares a process whose store has many sleeping trees with one whose store has few.
struct Rest {
  let location: StoreLocation
  let count: Int

  /// Prints how long a process needs until it answers, and its memory five seconds later.
  func run() throws {
    let first = WallTime.now + .seconds(86_400)
    let begin = WallTime.now
    guard try start(["save", location.text, "\(count)", "\(first.microsecondsSince1970)"], output: nil).wait() == 0
    else {
      print("FAILED: the trees can't be saved")
      return
    }
    let saved = Int((WallTime.now - begin) / .seconds(1))
    let errors = Pipe()
    let server = try start(["serve", location.text], output: nil, errors: errors)
    Thread.sleep(forTimeInterval: 5)
    let memory = server.memory
    server.kill()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    print("\(count) trees asleep (saved in \(saved) s): \(text.split(separator: "\n").first ?? ""), \(memory >> 10) MB")
  }
}

private func start(_ arguments: [String], output: String?, errors: Pipe? = nil) throws -> Child {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  process.arguments = arguments
  process.standardInput = Pipe()
  if let errors { process.standardError = errors }
  if let output {
    // Two processes write to it.
    process.standardOutput = FileHandle(fileDescriptor: open(output, O_WRONLY | O_APPEND), closeOnDealloc: true)
  }
  try process.run()
  return Child(process: process)
}

private struct Child {
  let process: Process

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

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
