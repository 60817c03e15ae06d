import Foundation

/// How much memory this process has, as Linux tells it.
enum ResidentMemory {
  /// The most since the peak was last forgotten, in bytes.
  static func peak() throws -> Double { try bytes("VmHWM:") }

  /// Now, in bytes.
  static func now() throws -> Double { try bytes("VmRSS:") }

  /// Lets the peak begin from what there is now.
  static func forgetPeak() throws { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

  private static func bytes(_ name: String) throws -> Double {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let line = lines.first { $0.hasPrefix(name) } ?? ""
    return (Double(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1_024
  }
}
