// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The processor time of the machine and of this program, to find out what other programs used in between.
struct MachineLoad {
  private let time = ContinuousClock.now
  /// In seconds, of all cores.
  private let busy: Double
  /// In seconds, of this process and of its children that have ended.
  private let own: Double

  /// Reads the current state; nil where the system does not report it in `/proc/stat`.
  init?() {
    guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
      let busy = MachineLoad.busyTicks(text)
    else { return nil }
    self.busy = busy / Double(sysconf(Int32(_SC_CLK_TCK)))
    own = MachineLoad.used(MachineLoad.process) + MachineLoad.used(MachineLoad.children)
  }

  /// The number of cores that other programs kept busy since an earlier reading.
  func others(since start: MachineLoad) -> Double {
    max(0, (busy - start.busy - (own - start.own)) / max((time - start.time).nanoseconds / 1e9, 0.001))
  }

  /// The ticks that were neither idle nor spent waiting for a disk: `cpu user nice system idle iowait irq softirq steal …`.
  static func busyTicks(_ text: String) -> Double? {
    guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard ticks.count >= 8 else { return nil }
    return ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]
  }

  #if canImport(Glibc)
    // An enumeration in the C library, whose functions take a number.
    private static let process = Int32(RUSAGE_SELF.rawValue)
    private static let children = Int32(RUSAGE_CHILDREN.rawValue)
  #else
    private static let process = RUSAGE_SELF
    private static let children = RUSAGE_CHILDREN
  #endif

  private static func used(_ subject: Int32) -> Double {
    var usage = rusage()
    getrusage(subject, &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
