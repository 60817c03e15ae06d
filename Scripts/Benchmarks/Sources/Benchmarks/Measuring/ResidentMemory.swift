// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resident memory of this process, as reported by Linux.
enum ResidentMemory {
  /// The peak since the last reset, in bytes.
  static func peak() throws -> Double { try bytes("VmHWM:") }

  /// The current size, in bytes.
  static func now() throws -> Double { try bytes("VmRSS:") }

  /// Resets the peak to the current size.
  static func forgetPeak() throws { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

  private static func bytes(_ name: String) throws -> Double {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let line = lines.first { $0.hasPrefix(name) } ?? ""
    return (Double(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1_024
  }
}
