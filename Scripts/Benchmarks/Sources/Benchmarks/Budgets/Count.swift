// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Workloads

/// The counts of a process, measured with valgrind's callgrind.
struct Count {
  let instructions: Int
  let allocations: Int

  /// Whether valgrind is installed.
  static var isAvailable: Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["valgrind", "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Runs an operation repeatedly in the probe, and counts.
  init(_ operation: CountedOperation, repeated count: Int, probe: String) throws {
    try self.init(of: probe, operation.rawValue, String(count))
  }

  /// Runs a program, and counts.
  init(of program: String, _ arguments: String...) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "counted")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=\(file.path)", program,
      ] + arguments
    // One thread for all tasks: contention between threads varies from run to run.
    // Hash values that are the same in every process, since collisions take instructions.
    let fixed = ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1", "SWIFT_DETERMINISTIC_HASHING": "1"]
    process.environment = ProcessInfo.processInfo.environment.merging(fixed) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw ValidationError("valgrind could not count \(arguments.joined(separator: " ")). Is it installed?")
    }
    self.init(text)
  }

  /// Parses the output of callgrind. It writes each function name once, and refers to it by number afterwards.
  init(_ text: String) {
    var instructions = 0
    var allocations = 0
    var allocators: Set<Substring> = []
    var isAllocator = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("cfn=") || line.hasPrefix("fn=") {
        let name = line.drop { $0 != "=" }.dropFirst()
        let number = name.prefix { $0 != " " }
        if Count.allocating.contains(name.dropFirst(number.count).drop { $0 == " " }) { allocators.insert(number) }
        if line.hasPrefix("cfn=") { isAllocator = allocators.contains(number) }
      } else if line.hasPrefix("calls=") {
        if isAllocator { allocations += Int(line.dropFirst(6).prefix { $0 != " " }) ?? 0 }
      } else if line.hasPrefix("totals:") || line.hasPrefix("summary:") {
        instructions = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? instructions
      }
    }
    self.instructions = instructions
    self.allocations = allocations
  }

  private static let allocating: Set<Substring> = [
    "malloc", "calloc", "aligned_alloc", "posix_memalign", "realloc",
  ]
}

extension Cost {
  /// Counts an operation: the difference between two numbers of repetitions, which excludes the startup of the
  /// process.
  init(of operation: CountedOperation, probe: String) async throws {
    // At the same time: other processes do not change the counts.
    async let once = Count(operation, repeated: operation.repetitions, probe: probe)
    async let twice = Count(operation, repeated: 2 * operation.repetitions, probe: probe)
    let (few, many) = try await (once, twice)
    let more = Double(operation.repetitions)
    instructions = Int((Double(many.instructions - few.instructions) / more).rounded())
    allocations = (Double(many.allocations - few.allocations) / more * 10).rounded() / 10
  }
}
