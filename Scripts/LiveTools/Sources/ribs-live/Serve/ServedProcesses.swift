// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsInspector
import Synchronization

/// The processes that the page may show.
struct ServedProcesses: Sendable {
  /// A process ID, the name of a program, or the path of a socket; nil for all processes of the user.
  let choice: String?
  /// The directory of the sockets; nil for the usual one.
  let directory: String?

  /// The list is used for this long. Making it opens a connection to each process.
  static let period = Duration.seconds(1)
  private let list = List()

  init(choice: String?, directory: String?) {
    self.choice = choice
    self.directory = directory
  }

  private final class List: Sendable {
    let last = Mutex<(time: ContinuousClock.Instant, processes: [InspectedProcess])?>(nil)
  }

  /// The processes that run, sorted by name, as of the last second.
  func all(at now: ContinuousClock.Instant = .now) throws(InspectorError) -> [InspectedProcess] {
    if let last = list.last.withLock({ $0 }), now - last.time < ServedProcesses.period { return last.processes }
    let processes = try found()
    list.last.withLock { $0 = (now, processes) }
    return processes
  }

  private func found() throws(InspectorError) -> [InspectedProcess] {
    if let choice, choice.contains("/") { return InspectedProcess(socketPath: choice).map { [$0] } ?? [] }
    let all = try InspectedProcess.all(in: directory)
    return choice.map { name in all.filter { String($0.id) == name || $0.name == name } } ?? all
  }

  /// The process with a key. A key that is none of a listed process names nothing, so that requests can't choose other
  /// files.
  func process(_ key: String) throws(InspectorError) -> InspectedProcess? { try all().first { $0.key == key } }
}

extension InspectedProcess {
  /// Identifies the process in requests: `taxi-4711`, or `taxi-4711.2` for the second inspector of a process.
  var key: String { String((socketPath.split(separator: "/").last ?? "").dropLast(".sock".count)) }
}

/// A process in the list of the page.
struct ListedProcess: Encodable {
  let key: String
  let name: String
  let pid: Int32
  /// Whether it is a recording; nil for a process that runs.
  var isRecorded: Bool?
}
