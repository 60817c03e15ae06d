import Foundation
import RIBs
import RIBsInspector
import Testing

@testable import TaxiOrder

@Suite("The taxi program as a process")
struct ProcessTests {
  private static let header = "pickup,dropoff,distance,fare,tip,tolls,total\n"
  private static let trip = "2021-06-01 08:00:00,2021-06-01 08:10:00,1,8,1,0,12\n"

  @Test(
    "says by its exit status how it went",
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

  @Test("reads trips from standard input as they come")
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
    "sums up when it is interrupted while it waits for input",
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
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // They can't all be done before it is interrupted.
    let taxi = try TaxiProcess(
      [
        "simulate", "--orders", "1000000000", "--concurrency", "\(concurrency)", "--fleet", "1000", "--inspect",
        "--format", "json",
      ], environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(try taxi.waitForErrorLine() == "taxi: the trees are shown on \(folder.path)/ribs/taxi-\(taxi.id).sock")
    let tree = try await firstTree(of: taxi, in: "\(folder.path)/ribs")
    #expect(tree.nodes.first?.name == "Root")
    taxi.send(signal: SIGINT)
    let result = try taxi.result()
    #expect(result.status == 130)
    let summary = try JSONDecoder().decode(Summary.self, from: Data(result.out.utf8))
    #expect((1..<1_000_000_000).contains(summary.orders))
    #expect(summary.orders == summary.completed + summary.cancelled + summary.failed)
    #expect(summary.failed == 0)
    #expect(summary.requestsFromInactive == 0)
    #expect(summary.leaked == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/ribs") == [])
  }

  /// Looks at the tree of an order. Orders come and go: one that is listed may have ended when it is asked for.
  private func firstTree(of taxi: TaxiProcess, in directory: String) async throws -> TreeSnapshot {
    let process = try #require(InspectedProcess.all(in: directory).first)
    #expect(process.id == taxi.id)
    let client = InspectorClient(process)
    while true {
      for tree in try await client.trees() {
        if let snapshot = try? await client.snapshot(of: tree.id) { return snapshot }
      }
    }
  }

  @Test("shows its trees nowhere where somebody else may have a hand in it")
  func unsafeDirectory() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/ribs", withDestinationPath: "/tmp")
    let taxi = try TaxiProcess(
      ["replay", Fixture.path, "--inspect"], environment: ["XDG_RUNTIME_DIR": folder.path])
    let result = try taxi.result()
    #expect(result.status == 69)
    #expect(result.out == "")
    #expect(result.error.hasPrefix("taxi: the trees can't be shown: "))
    #expect(result.error.contains("it is a link"))
  }

  @Test("quits when it is interrupted twice, whatever holds it up")
  func secondInterrupt() throws {
    // A pipe that is full and that nobody reads: the summary never gets through.
    let full = Pipe()
    try fill(full.fileHandleForWriting.fileDescriptor)
    let taxi = try TaxiProcess(["replay", "-"], output: full.fileHandleForWriting)
    try taxi.send(ProcessTests.header + "rubbish\n")
    _ = try taxi.waitForErrorLine()
    // Two different ones: of the same, a second that comes too soon is dropped by the system.
    taxi.send(signal: SIGINT)
    taxi.send(signal: SIGTERM)
    #expect(try [130, 143].contains(taxi.result().status))
  }

  #if os(Linux)
    @Test("reports that a disk is full")
    func fullDisk() throws {
      let disk = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let result = try TaxiProcess(["simulate", "--orders", "1"], output: disk).result()
      #expect(result.status == 74)
      #expect(result.error == "taxi: can't write to standard output: No space left on device\n")
    }
  #endif

  @Test("reports that nobody reads what it writes")
  func closedPipe() throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try TaxiProcess(["order"], output: pipe.fileHandleForWriting).result()
    #expect(result.status == 74)
    #expect(result.error == "taxi: can't write to standard output: Broken pipe\n")
  }

  /// Writes into a pipe until nothing more fits.
  private func fill(_ descriptor: Int32) throws {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    while write(descriptor, [0], 1) == 1 {}
    _ = fcntl(descriptor, F_SETFL, flags)
  }

  private struct Summary: Decodable {
    let orders: Int
    let completed: Int
    let cancelled: Int
    let failed: Int
    let requestsFromInactive: Int
    let leaked: Int
  }
}
