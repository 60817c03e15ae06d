// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
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
    let last = Mutex<(time: ContinuousClock.Instant, processes: [ServedProcess])?>(nil)
  }

  /// The processes that run, sorted by name, as of the last second.
  func all(at now: ContinuousClock.Instant = .now) throws(InspectorError) -> [ServedProcess] {
    if let last = list.last.withLock({ $0 }), now - last.time < ServedProcesses.period { return last.processes }
    let processes = try found()
    list.last.withLock { $0 = (now, processes) }
    return processes
  }

  private func found() throws(InspectorError) -> [ServedProcess] {
    let chosen: [InspectedProcess]
    if let choice, choice.contains("/") {
      chosen = InspectedProcess(socketPath: choice).map { [$0] } ?? []
    } else {
      let all = try InspectedProcess.all(in: directory)
      chosen = choice.map { name in all.filter { String($0.id) == name || $0.name == name } } ?? all
    }
    return chosen.compactMap(ServedProcess.init)
  }

  /// The process with a key. A key that is none of a listed process names nothing, so that requests can't choose other
  /// files.
  func process(_ key: String) throws(InspectorError) -> ServedProcess? { try all().first { $0.key == key } }
}

/// A process that the page may show.
struct ServedProcess: Hashable, Sendable {
  let process: InspectedProcess
  /// Identifies the process in requests: the name of its socket, `taxi-4711`, with the number and the time of the file. In
  /// a container, each process has the number of the one before it.
  let key: String

  /// - Returns: nil if the socket is gone.
  init?(_ process: InspectedProcess) {
    let file = try? FileManager.default.attributesOfItem(atPath: process.socketPath)
    guard let number = file?[.systemFileNumber] as? NSNumber, let date = file?[.modificationDate] as? Date else {
      return nil
    }
    self.process = process
    let name = (process.socketPath.split(separator: "/").last ?? "").dropLast(".sock".count)
    key = "\(name)-\(number)-\(date.timeIntervalSince1970)"
  }
}

/// A process in the list of the page.
struct ListedProcess: Encodable {
  let key: String
  let name: String
  let pid: Int32
  /// Whether it is a recording; nil for a process that runs.
  var isRecorded: Bool?
}
