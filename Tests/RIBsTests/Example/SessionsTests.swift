import Foundation
import Testing

@Suite("The sessions example")
struct SessionsTests {
  /// What the program printed, and how it ended, when it got a signal once its sessions were open.
  private func run(_ arguments: String..., signal: Int32 = SIGTERM) async throws -> (lines: [String], status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("sessions")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    let ended = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { process in
      ended.continuation.yield(process.terminationStatus)
      ended.continuation.finish()
    }
    try process.run(forAtMost: 300)
    let identifier = process.processIdentifier
    // Read on a thread of its own: it blocks.
    let lines = AsyncStream<String> { continuation in
      Thread.detachNewThread {
        var rest = Data()
        while let data = try? output.fileHandleForReading.read(upToCount: 1), !data.isEmpty {
          guard data != Data("\n".utf8) else {
            continuation.yield(String(decoding: rest, as: UTF8.self))
            rest = Data()
            continue
          }
          rest += data
        }
        continuation.finish()
      }
    }
    var all: [String] = []
    for await line in lines {
      all.append(line)
      if line.contains("sessions are open") { kill(identifier, signal) }
    }
    return (all, await first(of: ended.stream) ?? -1)
  }

  @Test("shuts down all trees on a termination signal", arguments: [SIGTERM, SIGINT])
  func ends(signal: Int32) async throws {
    let run = try await run("5", signal: signal)
    #expect(run.status == 0)
    #expect(run.lines.count == 8)
    #expect(run.lines.first?.hasPrefix("5 sessions are open") == true)
    #expect(run.lines.filter { $0.contains("says goodbye") }.count == 5)
    #expect(run.lines.last == "all sessions have ended")
  }

  @Test("names what is stuck, and ends all the same")
  func stuck() async throws {
    let run = try await run("2", "--stuck")
    #expect(run.status == 1)
    #expect(run.lines.contains { $0.hasPrefix("stuck: Session (#1): upload (SessionInteractor.swift:") })
    #expect(run.lines.last == "all sessions have ended, but not all of their work")
  }

  @Test("writes each event as a line")
  func events() async throws {
    let run = try await run("1", "--events")
    #expect(run.status == 0)
    let kinds = run.lines.filter { $0.contains(" Session ") }.map { $0.split(separator: " ")[2] }
    #expect(
      kinds == [
        "attached", "activated", "workerStarted", "taskStarted", "loaded", "workerStopped", "resigned", "ended",
        "taskEnded",
      ])
    #expect(run.lines.contains { $0.contains("Session workerStarted Heartbeat") })
  }

  @Test("refuses what it does not know")
  func usage() async throws {
    let run = try await run("--nonsense")
    #expect(run.status == 64)
    #expect(run.lines.first == "sessions: unknown argument '--nonsense'")
  }
}
