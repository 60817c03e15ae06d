// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Three processes on one PostgreSQL server, with 60 trees, of which one ends each process that activates it. All others have
// to answer within half a minute, and within half a minute of each of ten further starts. Run by Scripts/check-traps.

import Foundation
import PostgreSQLStore
import RIBs
import RIBsStore
import Synchronization

final class FragileInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    var count = 0
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }
  private let traps: Bool

  init(_ traps: Bool) {
    self.traps = traps
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    if traps { abort() }
  }
}

let ids = 0..<60
let guilty = 17

func directory(_ url: String, address: String, traps: Bool) async throws -> TreeDirectory<
  Int, Router<FragileInteractor>
> {
  TreeDirectory(
    "trap", in: try await PostgreSQLStore(url), configuration: DirectoryConfiguration(address: address),
    tree: { _ in TreeConfiguration(leakDetection: .off) }
  ) { id in
    Router(interactor: FragileInteractor(traps && id == guilty))
  }
}

func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Runs a directory, and writes again and again which trees have answered, and which are quarantined.
func serve(_ url: String, _ address: String) async throws {
  let directory = try await directory(url, address: address, traps: true)
  let running = Task { await directory.run() }
  while true {
    var answered: [String] = []
    for id in ids where id != guilty {
      let isAnswered = try? await directory.perform(on: id) { $0.interactor.savedState.count == id }
      if isAnswered == true { answered.append("\(id)") }
    }
    write("answered \(answered.joined(separator: " "))")
    write("quarantined \(directory.quarantined.keys.sorted().map(String.init).joined(separator: " "))")
    guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return running.cancel() }
  }
}

/// A process that is started again whenever it ends by itself.
final class Server: Sendable {
  private struct State {
    var process: Process?
    var deaths = 0
    var isStopped = false
    var answered: Set<Int> = []
    var quarantined: Set<Int> = []
  }

  private let arguments: [String]
  private let state = Mutex(State())

  init(_ arguments: [String]) { self.arguments = arguments }

  var deaths: Int { state.withLock { $0.deaths } }
  var answered: Set<Int> { state.withLock { $0.answered } }
  var quarantined: Set<Int> { state.withLock { $0.quarantined } }

  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    // A trap is expected, and its backtrace takes time.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    state.withLock { state in
      state.process = process
      state.isStopped = false
      (state.answered, state.quarantined) = ([], [])
    }
    try process.run()
    Thread.detachNewThread { self.read(output.fileHandleForReading, of: process) }
  }

  private func read(_ output: FileHandle, of process: Process) {
    var buffer = ""
    while case let data = output.availableData, !data.isEmpty {
      buffer += String(decoding: data, as: UTF8.self)
      while let end = buffer.firstIndex(of: "\n") {
        let words = buffer[..<end].split(separator: " ")
        buffer.removeSubrange(...end)
        let numbers = Set(words.dropFirst().compactMap { Int($0) })
        state.withLock { state in
          guard state.process === process else { return }
          if words.first == "answered" { state.answered.formUnion(numbers) } else { state.quarantined = numbers }
        }
      }
    }
    process.waitUntilExit()
    let isRestarted = state.withLock { state in
      guard state.process === process, !state.isStopped else { return false }
      state.deaths += 1
      return true
    }
    if isRestarted { try? start() }
  }

  func kill() {
    let process = state.withLock { state in
      state.isStopped = true
      return state.process
    }
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

func check(_ url: String) async throws -> Bool {
  let first = try await directory(url, address: "", traps: false)
  for id in ids { try await first.perform(on: id) { $0.interactor.savedState.count = id } }
  // Not released: the trees are awake, and their owner is dead.
  let servers = (1...3).map { Server(["serve", url, "server-\($0)"]) }
  var isRight = true
  for round in 0...10 {
    let start = ContinuousClock.now
    for server in servers { try server.start() }
    var answered: Set<Int> = []
    while ContinuousClock.now - start < .seconds(60) {
      answered.formUnion(servers.flatMap(\.answered))
      if answered.count == ids.count - 1, servers.allSatisfy({ $0.quarantined == [guilty] }) { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    let time = ContinuousClock.now - start
    let deaths = servers.reduce(0) { $0 + $1.deaths }
    let quarantined = servers.map { $0.quarantined.sorted() }
    print(
      "start \(round): \(answered.count) of \(ids.count - 1) trees have answered, quarantined \(quarantined), "
        + "\(deaths) processes have trapped, \(time)")
    isRight =
      isRight && answered.count == ids.count - 1 && quarantined.allSatisfy { $0 == [guilty] } && deaths == 3
      && time < .seconds(30)
    for server in servers { server.kill() }
  }
  return isRight
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "serve" {
  try await serve(arguments[2], arguments[3])
} else if let url = ProcessInfo.processInfo.environment["RIBS_POSTGRES"] {
  exit(try await check(url) ? 0 : 1)
} else {
  write("Run Scripts/check-traps.")
  exit(2)
}
