// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation
import RIBs
import RIBsInspector
import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("The taxi program as a process", .onOwnThread)
struct ProcessTests {
  private static let header = "pickup,dropoff,distance,fare,tip,tolls,total\n"
  private static let trip = "2021-06-01 08:00:00,2021-06-01 08:10:00,1,8,1,0,12\n"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "reports the result by its exit status",
    arguments: [
      (["--version"], 0), (["--help"], 0), (["tree", "--stage", "rating"], 0), (["simulate", "--orders", "3"], 0),
      (["simulate", "--orders", "3", "--fault", "no-taxi"], 0), (["replay", Fixture.path], 1), (["simulat"], 64),
      (["replay", "--sede", "1"], 64), (["replay", #filePath], 65), (["replay", "/no/such/file"], 66),
    ] as [([String], Int32)])
  func exitStatus(arguments: [String], status: Int32) throws {
    let result = try TaxiProcess(arguments).result()
    #expect(result.status == status)
    #expect(result.error.isEmpty == (status == 0))
  }

  @Test("reads trips from standard input as they arrive")
  func standardInput() throws {
    let taxi = try TaxiProcess(["replay", "-", "--format", "json"])
    try taxi.send(ProcessTests.header + ProcessTests.trip + "rubbish\n")
    #expect(try taxi.waitForErrorLine().hasPrefix("standard input: line 3"))
    try taxi.send(ProcessTests.trip)
    try taxi.closeInput()
    let result = try taxi.result()
    #expect(result.status == 1)
    #expect(result.out.hasPrefix(#"{"orders":2,"completed":2,"cancelled":0,"failed":0,"rejectedRows":1,"#))
  }

  @Test(
    "prints the summary when it is interrupted while it waits for input",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interrupt(signal: Int32, status: Int32) throws {
    let taxi = try TaxiProcess(["replay", "-", "--format", "json"])
    try taxi.send(ProcessTests.header + ProcessTests.trip + "rubbish\n")
    _ = try taxi.waitForErrorLine()
    taxi.send(signal: signal)
    let result = try taxi.result()
    #expect(result.status == status)
    #expect(result.out.hasPrefix(#"{"orders":1,"#))
    #expect(result.out.contains(#""requestsFromInactive":0,"leaked":0,"#))
  }

  @Test("cancels the orders in flight when it is interrupted, and loses none", arguments: [1, 50])
  func interruptInFlight(concurrency: Int) async throws {
    // Too many to be completed before the interruption.
    let taxi = try TaxiProcess(
      words("simulate --orders 1000000000 --concurrency \(concurrency) --fleet 1000 --inspect --format json"),
      environment: ["XDG_RUNTIME_DIR": folder.path], isInBackground: true)
    let summary = try Summary(await interrupt(taxi, showing: "Root").out)
    #expect((1..<1_000_000_000).contains(summary.orders))
    #expect(summary.orders == summary.completed + summary.cancelled)
    #expect((summary.failed, summary.requestsFromInactive, summary.leaked) == (0, 0, 0))
  }

  /// Interrupts a process after the name of the root of its first tree has been inspected.
  private func interrupt(
    _ taxi: TaxiProcess, showing root: String
  ) async throws -> (status: Int32, out: String, error: String) {
    let directory = "\(folder.path)/ribs"
    #expect(try taxi.waitForErrorLine() == "taxi: the trees are shown on \(directory)/taxi-\(taxi.id).sock")
    let process = try #require(InspectedProcess.all(in: directory).first)
    #expect(process.id == taxi.id)
    #expect(try await firstTree(of: InspectorClient(process)).nodes.first?.name == root)
    taxi.send(signal: SIGINT)
    let result = try taxi.result()
    #expect(result.status == 130)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    return result
  }

  /// Inspects the tree of an order. A listed order may have ended before the request.
  private func firstTree(of client: InspectorClient) async throws -> TreeSnapshot {
    while true {
      for tree in try await client.trees() {
        if let snapshot = try? await client.snapshot(of: tree.id) { return snapshot }
      }
    }
  }

  @Test("shows the fleet that it watches to other processes")
  func inspectedFleet() async throws {
    let taxi = try TaxiProcess(["watch", "--inspect"], environment: ["XDG_RUNTIME_DIR": folder.path])
    _ = try await interrupt(taxi, showing: "Fleet")
  }

  @Test(
    "refuses to show its trees in a directory that other users can change",
    arguments: [["replay", Fixture.path], ["watch"]])
  func unsafeDirectory(command: [String]) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/ribs", withDestinationPath: "/tmp")
    let result = try TaxiProcess(command + ["--inspect"], environment: ["XDG_RUNTIME_DIR": folder.path]).result()
    #expect((result.status, result.out) == (69, ""))
    #expect(result.error.hasPrefix("taxi: the trees can't be shown: "))
    #expect(result.error.contains("it is a symbolic link"))
  }

  @Test("quits when it is interrupted twice, whatever blocks it")
  func secondInterrupt() throws {
    // A full pipe without a reader: the summary can never be written.
    let full = Pipe()
    try full.fill()
    let taxi = try TaxiProcess(["replay", "-"], output: full.fileHandleForWriting)
    try taxi.send(ProcessTests.header + "rubbish\n")
    _ = try taxi.waitForErrorLine()
    // Two different signals: the system drops a second one of the same kind that arrives too early.
    taxi.send(signal: SIGINT)
    taxi.send(signal: SIGTERM)
    #expect(try [130, 143].contains(taxi.result().status))
  }

  #if os(Linux)
    @Test("reports that a disk is full", arguments: ["simulate --orders 1", "watch --speed 1000000"])
    func fullDisk(command: String) throws {
      let disk = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let result = try TaxiProcess(words(command), output: disk).result()
      #expect((result.status, result.error) == (74, "taxi: can't write to standard output: No space left on device\n"))
    }
  #endif

  @Test("reports that its reader is gone", arguments: ["order", "watch --speed 1000000"])
  func closedPipe(command: String) throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try TaxiProcess(words(command), output: pipe.fileHandleForWriting).result()
    #expect((result.status, result.error) == (74, "taxi: can't write to standard output: Broken pipe\n"))
  }

  #if os(Linux)
    @Test("writes everything to a non-blocking standard output")
    func nonblockingOutput() throws {
      let expected = try TaxiProcess(["tree", "--fleet", "5000"]).result().out
      let pipe = Pipe()
      let filler = try pipe.fill()
      _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
      let taxi = try TaxiProcess(["tree", "--fleet", "5000"], output: pipe.fileHandleForWriting)
      // Closed here, so that the end of the program ends the input.
      try pipe.fileHandleForWriting.close()
      // Nothing is read until the program waits for room.
      try taxi.waitUntilItSleeps()
      let out = try #require(try pipe.fileHandleForReading.readToEnd()).dropFirst(filler)
      #expect(out.count == expected.utf8.count)
      let result = try taxi.result()
      #expect((result.status, result.error) == (0, ""))
    }
  #endif

  @Test(
    "ends normally when standard streams are closed, and takes no output to them for a signal",
    arguments: ["0<&-", "1>&-", "2>&-", "0<&- 2>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"])
  func closedStreams(redirection: String) throws {
    for (arguments, status) in [("simulate --orders 3", Int32(0)), ("simulat", 64)] {
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "\"$0\" \(arguments) \(redirection)", try TaxiProcess.program().path]
      let output = Pipe()
      shell.standardOutput = output
      shell.standardError = FileHandle.nullDevice
      try shell.run(forAtMost: 900)
      try output.fileHandleForWriting.close()
      let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      shell.waitUntilExit()
      #expect(shell.terminationStatus == status)
      #expect(text.isEmpty == (status != 0 || redirection.contains("1>&-")))
    }
  }

  #if os(Linux)
    @Test("ends with the first interrupt while it waits for a writer of a FIFO")
    func unopenedFIFO() throws {
      mkfifo("\(folder.path)/trips", 0o600)
      let taxi = try TaxiProcess(["replay", "\(folder.path)/trips", "--format", "json"])
      try taxi.waitUntilItSleeps()
      taxi.send(signal: SIGINT)
      #expect(try taxi.result().status == 130)
    }
  #endif

  @Test("reads a FIFO that is opened for writing later, to its end")
  func lateFIFO() throws {
    mkfifo("\(folder.path)/trips", 0o600)
    let taxi = try TaxiProcess(["replay", "\(folder.path)/trips", "--format", "json"])
    // Waits until the program has opened it.
    let writer = try #require(FileHandle(forWritingAtPath: "\(folder.path)/trips"))
    for text in [ProcessTests.header, ProcessTests.trip, ProcessTests.trip] {
      try writer.write(contentsOf: Data(text.utf8))
    }
    try writer.close()
    let result = try taxi.result()
    #expect(result.status == 0)
    #expect(result.out.hasPrefix(#"{"orders":2,"#))
  }
}
