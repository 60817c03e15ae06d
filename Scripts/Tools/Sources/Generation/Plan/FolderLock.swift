// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lets one process at a time write in a folder. The lock ends with the process that holds it.
enum FolderLock {
  /// Runs a closure with the lock.
  ///
  /// - Parameter lock: locks a descriptor, and returns 0 if it could. Defaults to `flock`.
  /// - Throws: `Failure.refused` if the folder can't be locked, as on some network file systems: two edits at the same
  ///   time could lose files.
  static func holding<Result>(
    _ folder: URL, lock: (Int32) -> Int32 = { flock($0, LOCK_EX) }, _ body: () throws -> Result
  ) throws -> Result {
    let descriptor = open(folder.path, O_RDONLY)
    guard descriptor >= 0 else { throw Failure.missing("there is no folder '\(folder.path)'") }
    defer { close(descriptor) }
    while lock(descriptor) != 0 {
      if errno == EINTR { continue }
      throw Failure.refused(
        "the folder '\(folder.path)' can't be locked: \(String(cString: strerror(errno)))",
        advice: ["Edit a copy on a disk of this machine: two edits at the same time could lose files."])
    }
    return try body()
  }
}
