// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("A server of orders in files", .serialized, .onOwnThread)
struct KillTests {
  private static let program = ProgramProcess.path(of: "OrdersProbe")

  private let folder: TemporaryFolder
  private var directory: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  /// A server without a payment process.
  private func server(in directory: String) throws -> ProgramProcess {
    try ProgramProcess([Self.program, "serve", directory, directory + "/none.sock"])
  }

  /// Runs the check, and returns its exit status and its output.
  private func check(_ arguments: String...) async throws -> (status: Int32, output: String) {
    try await withTemporaryDirectory { directory in
      let check = try ProgramProcess([Self.program, "check", directory] + arguments)
      var output = ""
      while let line = check.line() { output += line + "\n" }
      return (try check.end(), output)
    }
  }

  private func expectFirstAnswer(of server: ProgramProcess) throws {
    #expect(server.line() == "ready")
    try server.write("1 a request add 5")
    #expect(server.line() == "1 1")
  }

  private func expectRefusal(of server: ProgramProcess, naming directory: String) throws {
    #expect(server.line() == nil)
    #expect(server.errorLine()?.contains(directory) == true)
    #expect(try server.end() != 0)
  }

  @Test("loses no answered call and pays nothing twice when it is killed and stopped again and again")
  func killing() async throws {
    let (status, output) = try await check("200", "10")
    #expect(status == 0, "\(output)")
    #expect(output.contains("10 kills, 1 stops, 1 of them served on"))
  }

  @Test("is found to lose answered calls if it answers before it has saved")
  func negativeControl() async throws {
    // A kill between an answer and its save shows it, which is rare.
    var outputs: [String] = []
    for _ in 0..<5 {
      let (status, output) = try await check("100", "5", "at-once")
      if status == 1 && output.contains("FAILED") { return }
      outputs.append(output)
    }
    Issue.record("\(outputs)")
  }

  @Test("does not start while another one uses its directory, and does as soon as that one was killed")
  func twoProcesses() throws {
    let first = try server(in: directory)
    #expect(first.line() == "ready")
    try expectRefusal(of: server(in: directory), naming: directory)
    try first.write("1 a request add 5")
    #expect(first.line() == "1 1")
    first.kill()
    let third = try server(in: directory)
    #expect(third.line() == "ready")
    try third.write("1 a other add 5")
    #expect(third.line() == "1 2")
    #expect(try third.end() == 0)
  }

  /// Runs a command. Nil if it can't be run.
  private static func status(of command: [String]) -> Int32? { try? ProgramProcess(command).end() }

  /// Sets the size that the files of a process may have, as only Linux can.
  private static func limitFiles(of server: ProgramProcess, to size: String) {
    #expect(status(of: [prlimit, "--pid", "\(server.number)", "--fsize=\(size):unlimited"]) == 0)
  }

  private static let prlimit = "/usr/bin/prlimit"

  @Test(
    "answers when the disk has space again, and has lost nothing meanwhile",
    .enabled(if: FileManager.default.isExecutableFile(atPath: prlimit)))
  func fullDisk() throws {
    let server = try self.server(in: directory)
    try expectFirstAnswer(of: server)
    Self.limitFiles(of: server, to: "0")
    try server.write("2 a other add 5")
    #expect(server.errorLine()?.contains("the store has failed, and is tried again") == true)
    Self.limitFiles(of: server, to: "unlimited")
    #expect(server.line() == "2 2")
    #expect(try server.end() == 0)
  }

  private static let unshare = "/usr/bin/unshare"

  /// Whether a process can mount a file system of its own, as only Linux can, and not in every container.
  private static let canMount =
    status(of: [unshare, "-rm", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", NSTemporaryDirectory()]) == 0

  @Test("answers when a file system that was full has space again, and has lost nothing", .enabled(if: canMount))
  func fullFileSystem() throws {
    let script = #"mount -t tmpfs -o size=1m tmpfs "$1" && exec "$0" serve "$1" "$1/none.sock""#
    let server = try ProgramProcess([Self.unshare, "-rm", "sh", "-c", script, Self.program, directory])
    try expectFirstAnswer(of: server)
    // The directory as the server sees it.
    let filler = "/proc/\(server.number)/root\(directory)/filler"
    #expect(FileManager.default.createFile(atPath: filler, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: filler))
    for size in [65_536, 4_096, 1] {
      while (try? file.write(contentsOf: Data(count: size))) != nil {}
    }
    try file.close()
    try server.write("2 a other add 5")
    let error = try #require(server.errorLine())
    #expect(error.contains("the store has failed, and is tried again") && error.contains("errno \(ENOSPC)"))
    try FileManager.default.removeItem(atPath: filler)
    #expect(server.line() == "2 2")
    try server.write("3 b request add 5")
    #expect(server.line() == "3 1")
    #expect(try server.end() == 0)
  }

  @Test("says which directory it can't write")
  func unwritable() throws {
    // A file in place of the directory, which even root can't write to.
    _ = FileManager.default.createFile(atPath: directory + "/file", contents: nil)
    try expectRefusal(of: server(in: directory + "/file/orders"), naming: directory + "/file")
  }
}
