// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation

/// The `taxi` program as a process of its own.
final class TaxiProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// Starts it.
  ///
  /// - Parameters:
  ///   - arguments: its arguments. `send(_:)` writes to its standard input.
  ///   - environment: variables in addition to those of this process.
  ///   - isInBackground: whether it runs at low priority. For endless work, which would otherwise compete with all
  ///     concurrent tests.
  ///   - output: its standard output. Defaults to a pipe read by `result()`.
  init(
    _ arguments: [String], environment: [String: String] = [:], isInBackground: Bool = false,
    output: FileHandle? = nil
  ) throws {
    let program = try TaxiProcess.program()
    process.executableURL = isInBackground ? URL(filePath: "/usr/bin/nice") : program
    process.arguments = (isInBackground ? ["-n", "19", program.path] : []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output ?? self.output.fileHandleForWriting
    process.standardError = errors
    try process.run(forAtMost: 900)
    // So that its end is the end of what can be read.
    try self.output.fileHandleForWriting.close()
  }

  var id: Int32 { process.processIdentifier }

  /// Writes to its standard input.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = try retry {
        rest.withUnsafeBytes { write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  func closeInput() throws { try input.fileHandleForWriting.close() }

  func send(signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until it handles signals and all its threads are idle.
  func waitUntilItSleeps() throws {
    let threads = "/proc/\(id)/task"
    while true {
      let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
      let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      let mask = caught?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
      let states = try FileManager.default.contentsOfDirectory(atPath: threads).map { thread in
        let status = (try? String(contentsOfFile: "\(threads)/\(thread)/status", encoding: .utf8)) ?? ""
        return status.contains("State:\tS")
      }
      if mask & (1 << UInt64(SIGTERM - 1)) != 0, states.allSatisfy({ $0 }) { return }
    }
  }

  /// Waits until it has written a line to standard output; nil at the end.
  func waitForLine() throws -> String? { try line(from: output) }

  /// Waits until it has written a line to standard error; empty at the end.
  func waitForErrorLine() throws -> String { try line(from: errors) ?? "" }

  private func line(from pipe: Pipe) throws -> String? {
    var line = Data()
    while let byte = try read(pipe, atMost: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Waits for its end, and returns its exit status and remaining output.
  func result() throws -> (status: Int32, out: String, error: String) {
    let out = try readToEnd(output)
    let error = try readToEnd(errors)
    process.waitUntilExit()
    return (process.terminationStatus, out, error)
  }

  private func readToEnd(_ pipe: Pipe) throws -> String {
    var all = Data()
    while true {
      let some = try read(pipe, atMost: 65_536)
      if some.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += some
    }
  }

  /// Waits for available bytes; none means the end.
  private func read(_ pipe: Pipe, atMost count: Int) throws -> Data {
    var bytes = Data(count: count)
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let count = try retry { bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) } }
    return bytes.prefix(count)
  }

  /// Repeats a system call that is interrupted by other signals.
  private func retry(_ call: () -> Int) throws -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
  }

  /// The program next to the test bundle in the build folder.
  static func program() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<4 {
      let program = folder.appending(path: "taxi")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
