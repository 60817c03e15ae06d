import Foundation
import Testing

@Suite("A server of orders in files", .serialized)
struct KillTests {
  /// The server in a process of its own, without a payment process.
  private final class Server {
    private let process = Process()
    private let (input, output, errors) = (Pipe(), Pipe(), Pipe())

    init(_ directory: String) throws {
      process.executableURL = URL(fileURLWithPath: KillTests.program)
      process.arguments = ["serve", directory, directory + "/none.sock"]
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    var number: Int32 { process.processIdentifier }

    func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    func answer() -> String { Server.line(output) }

    func error() -> String { Server.line(errors) }

    /// Reads a line, byte by byte. Empty at the end of the output.
    private static func line(_ pipe: Pipe) -> String {
      var bytes: [UInt8] = []
      while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the input, which ends the server.
    func end() throws -> Int32 {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      return process.terminationStatus
    }

    func kill() {
      Foundation.kill(number, SIGKILL)
      process.waitUntilExit()
    }
  }

  fileprivate static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("OrdersProbe").path

  @Test("loses no answered call and pays nothing twice when it is killed again and again")
  func killing() async throws {
    try await withTemporaryDirectory { directory in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.program)
      process.arguments = ["check", directory, "200", "10"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = await Task.detached {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }
      .value
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(text)")
    }
  }

  @Test("does not start while another one uses its directory, and does as soon as that one was killed")
  func twoProcesses() async throws {
    try await withTemporaryDirectory { directory in
      let first = try Server(directory)
      #expect(first.answer() == "ready")
      let second = try Server(directory)
      #expect(second.answer() == "")
      #expect(second.error().contains(directory))
      #expect(try second.end() != 0)
      try first.write("1 a request add 5")
      #expect(first.answer() == "1 1")
      first.kill()
      let third = try Server(directory)
      #expect(third.answer() == "ready")
      try third.write("1 a other add 5")
      #expect(third.answer() == "1 2")
      #expect(try third.end() == 0)
    }
  }

  /// Sets the size that the files of a process may have, as only Linux can.
  private static func limitFiles(of server: Server, to size: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: prlimit)
    process.arguments = ["--pid", "\(server.number)", "--fsize=\(size):unlimited"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private static let prlimit = "/usr/bin/prlimit"

  @Test(
    "answers when the disk has space again, and has lost nothing meanwhile",
    .enabled(if: FileManager.default.isExecutableFile(atPath: prlimit)))
  func fullDisk() async throws {
    try await withTemporaryDirectory { directory in
      let server = try Server(directory)
      #expect(server.answer() == "ready")
      try server.write("1 a request add 5")
      #expect(server.answer() == "1 1")
      try Self.limitFiles(of: server, to: "0")
      try server.write("2 a other add 5")
      #expect(server.error().contains("the store has failed, and is tried again"))
      try Self.limitFiles(of: server, to: "unlimited")
      #expect(server.answer() == "2 2")
      #expect(try server.end() == 0)
    }
  }

  @Test("says which directory it can't write")
  func unwritable() async throws {
    try await withTemporaryDirectory { directory in
      // A file in place of the directory, which even root can't write to.
      _ = FileManager.default.createFile(atPath: directory + "/file", contents: nil)
      let server = try Server(directory + "/file/orders")
      #expect(server.answer() == "")
      #expect(server.error().contains(directory + "/file"))
      #expect(try server.end() != 0)
    }
  }
}
