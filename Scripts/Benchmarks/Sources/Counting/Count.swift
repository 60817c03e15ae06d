// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The counts of a process, measured with valgrind's callgrind.
public struct Count {
  public let instructions: Int
  public let allocations: Int

  struct NotCounted: LocalizedError {
    let arguments: [String]

    var errorDescription: String? {
      "valgrind could not count \(arguments.joined(separator: " ")). Is it installed?"
    }
  }

  /// Whether valgrind is installed.
  public static var isAvailable: Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["valgrind", "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Runs a program, and counts.
  public init(of program: String, _ arguments: String...) throws {
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
      throw NotCounted(arguments: arguments)
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
