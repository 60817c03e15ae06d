import Foundation
import Testing

@Suite("The program of the article SurvivingACrash")
struct EggsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("EggsProbe").path

  /// Runs a program whose output is not buffered until it is complete, as it is to a pipe otherwise.
  private static let stdbuf = "/usr/bin/stdbuf"

  private func text(_ path: String) throws -> String {
    try String(contentsOf: EggsTests.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("is the program that these tests run")
  func sources() throws {
    let article = try text("Sources/RIBs/RIBs.docc/SurvivingACrash.md")
    let samples = article.components(separatedBy: "```swift\n").dropFirst().map { sample in
      sample.components(separatedBy: "```")[0]
    }
    #expect(samples == [try text("Tests/Probes/EggsProbe/Egg.swift"), try text("Tests/Probes/EggsProbe/Eggs.swift")])
  }

  /// Runs the program until it has printed a line, and kills it.
  private func run(in directory: String, until isLast: (String) -> Bool) throws -> [String] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: EggsTests.stdbuf)
    process.arguments = ["-oL", EggsTests.program]
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardOutput = output
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var lines: [String] = []
    var line = ""
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") {
        lines.append(line)
        if isLast(line) { break }
        line = ""
      } else {
        line.append(Character(Unicode.Scalar(byte)))
      }
    }
    return lines
  }

  private func secondsLeft(_ line: String?) -> Int? { line?.split(separator: " ").first.flatMap { Int($0) } }

  @Test(
    "continues after a kill with the time that is left, and ends when that is over",
    .enabled(if: FileManager.default.isExecutableFile(atPath: stdbuf)))
  func killing() async throws {
    try await withTemporaryDirectory { directory in
      let file = directory + "/eggs/egg/awake/breakfast.json"
      let isSaved = { (_: String) in FileManager.default.fileExists(atPath: file) }
      let first = try run(in: directory, until: isSaved)
      let start = try #require(secondsLeft(first.first))
      #expect((170...180).contains(start))
      let saved = try String(contentsOfFile: file, encoding: .utf8)
      let second = try run(in: directory) { _ in true }
      #expect(try #require(secondsLeft(second.first)) <= start)
      let date = try #require(saved.split(separator: "\"state\":").last?.prefix { $0.isNumber || $0 == "." })
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"state\":\(date)}"))
      // As if the egg had been forgotten for an hour.
      let past = "\(Date.now.timeIntervalSinceReferenceDate - 3_600)"
      let document = "{\"format\":1,\"ribs\":[\n{\"rib\":\"Egg\",\"v\":1,\"state\":\(past)}\n]}\n"
      // Edited by hand, so without a checksum.
      let header = try #require(saved.split(separator: "\n").first).replacing(
        /"bytes":[0-9]+,"checksum":"[0-9a-f]+"/, with: "\"bytes\":\(document.utf8.count)")
      try "\(header)\n\(document)".write(toFile: file, atomically: false, encoding: .utf8)
      let last = try run(in: directory) { _ in false }
      #expect(Set(last.dropLast()) == ["The egg is done."] && last.last == "breakfast:Egg ended it", "\(last)")
      #expect(FileManager.default.fileExists(atPath: directory + "/eggs/egg/asleep/breakfast.json"))
    }
  }
}
