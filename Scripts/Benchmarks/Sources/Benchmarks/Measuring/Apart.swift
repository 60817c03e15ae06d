// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Heap
import TaxiSimulation

/// Measurements in a separate process, with a subset of the cores, another allocator, or the whole heap.
enum Apart: String, CaseIterable, ExpressibleByArgument {
  case hosts, orders, siblings, levels
  case sessionHeap = "session-heap"
  case manySessions = "many-sessions"
  case sessionEnds = "session-ends"
  case orderHeap = "order-heap"
  case bareSiblings = "bare-siblings"
  case bareLevels = "bare-levels"

  /// A measurement and its baseline.
  struct Reading {
    let value: Double
    let baseline: Double
  }

  /// Measures in this process.
  func measured() async throws -> Reading {
    switch self {
    case .hosts: return Reading(perSecond: try await answeringOfHosts())
    case .orders:
      let comparison = try await ThroughputComparison(orders: 125, concurrency: 16, runs: 240)
      return Reading(value: comparison.trees, baseline: comparison.bareTasks)
    case .sessionHeap: return try await heapOfSessions()
    case .manySessions: return Reading(try await callsOfManySessions())
    case .sessionEnds: return Reading(try await endOfSessions())
    case .orderHeap:
      let footprint = await OrderFootprint(orders: 100) { Int(heap_in_use()) }
      return Reading(value: Double(footprint.peakHeap), baseline: Double(footprint.peakRIBs))
    case .siblings: return Reading(await growthOfSiblings())
    case .levels: return Reading(await growthOfLevels())
    case .bareSiblings: return Reading(growthOfBareSiblings())
    case .bareLevels: return Reading(growthOfBareLevels())
    }
  }

  /// Measures in another process on the first `cores` cores (Linux: `taskset` is part of util-linux).
  func measured(onCores cores: Int) async throws -> Reading {
    guard let reading = try measured(through: ["taskset", "--cpu-list", "0-\(cores - 1)"]) else {
      throw ValidationError("Measuring \(rawValue) on \(cores) cores failed; it needs taskset, and as many cores.")
    }
    return reading
  }

  /// Measures in another process that has the whole heap to itself.
  func measuredAlone() throws -> Reading {
    guard let reading = try measured(through: []) else { throw ValidationError("Measuring \(rawValue) failed.") }
    return reading
  }

  /// Measures in another process whose threads share one heap, which the C library reports as a whole.
  func measuredInOneHeap() throws -> Reading {
    guard let reading = try measured(through: ["MALLOC_ARENA_MAX=1"]) else {
      throw ValidationError("Measuring \(rawValue) failed.")
    }
    return reading
  }

  /// Measures in another process with jemalloc, which retains freed memory.
  ///
  /// - Returns: nil if that fails: jemalloc may not be installed.
  func measuredWithJemalloc() throws -> Reading? {
    try measured(
      through: ["LD_PRELOAD=libjemalloc.so.2", "MALLOC_CONF=dirty_decay_ms:-1,muzzy_decay_ms:-1"],
      arguments: ["--jemalloc"], isQuiet: true)
  }

  /// - Parameter isQuiet: whether a failure is expected, so that the other process does not print its reason.
  /// - Returns: nil if the other process fails.
  private func measured(
    through command: [String], arguments: [String] = [], isQuiet: Bool = false
  ) throws -> Reading? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command + [CommandLine.arguments[0], "apart", rawValue] + arguments
    let output = Pipe()
    process.standardOutput = output
    if isQuiet { process.standardError = FileHandle.nullDevice }
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return numbers.count == 2 ? Reading(value: numbers[0], baseline: numbers[1]) : nil
  }
}

extension Apart.Reading {
  fileprivate init(_ comparison: Comparison) {
    self.init(value: comparison.value, baseline: comparison.baseline)
  }

  /// Converts times in nanoseconds to rates per second.
  fileprivate init(perSecond comparison: Comparison) {
    self.init(value: 1e9 / comparison.value, baseline: 1e9 / comparison.baseline)
  }
}
