// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Synchronization

/// A server in a process of its own.
final class ServerProcess: Sendable {
  /// The output of the server, line by line.
  private let lines: AsyncStream<String>
  private let process: Process
  private let ended: Promise
  private let errors: TemporaryFolder
  let client: Client

  /// Starts a server, and waits until it answers.
  ///
  /// - Parameters:
  ///   - port: its port; nil for any.
  ///   - arguments: besides the port. `PORT` in them is replaced.
  static func start(port: Int? = nil, _ arguments: [String]) async throws -> ServerProcess {
    while true {
      let server = try ServerProcess(port ?? .randomUnused, arguments)
      for await line in server.lines where line.hasPrefix("Order a taxi at") { return server }
      let status = await server.ended.value
      // The port is in use.
      guard port == nil else { throw NotStarted(status: status, log: server.log) }
    }
  }

  struct NotStarted: Error {
    let status: Int32
    let log: String
  }

  /// What the server has logged.
  var log: String {
    String(decoding: FileManager.default.contents(atPath: errors.url.path + "/log") ?? Data(), as: UTF8.self)
  }

  private init(_ port: Int, _ arguments: [String]) throws {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    process = Process()
    process.executableURL = URL(fileURLWithPath: bundle).deletingLastPathComponent().appending(path: "taxi-server")
    process.arguments =
      ["--port", "\(port)", "--speed", "1000", "--rate", "1000000", "--connection-rate", "1000000", "--timeout", "120"]
      + arguments.map { $0.replacingOccurrences(of: "PORT", with: "\(port)") }
    let output = Pipe()
    process.standardOutput = output
    errors = TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: errors.url.path + "/log"))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors.url.path + "/log"))
    let (lines, continuation) = AsyncStream<String>.makeStream()
    self.lines = lines
    let text = Mutex("")
    output.fileHandleForReading.readabilityHandler = { file in
      let data = file.availableData
      if data.isEmpty {
        file.readabilityHandler = nil
        return continuation.finish()
      }
      text.withLock { text in
        text += String(decoding: data, as: UTF8.self)
        while let end = text.firstIndex(of: "\n") {
          continuation.yield(String(text[..<end]))
          text.removeSubrange(...end)
        }
      }
    }
    let ended = Promise()
    self.ended = ended
    process.terminationHandler = { process in ended.set(process.terminationStatus) }
    client = Client(port: port)
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Sends a signal, and waits for the end.
  ///
  /// - Returns: the exit status, or the signal.
  @discardableResult
  func end(_ signal: Int32) async -> Int32 {
    kill(process.processIdentifier, signal)
    return await ended.value
  }
}

/// A status that is set once.
private final class Promise: Sendable {
  private let state = Mutex<(value: Int32?, waiting: [CheckedContinuation<Int32, Never>])>((nil, []))

  func set(_ value: Int32) {
    let waiting = state.withLock { state in
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  var value: Int32 {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state in
          if state.value == nil { state.waiting.append(continuation) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}
