// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The locks by which the processes of a database notice that an owner's process is dead, before its lease ends.
///
/// Each owner has an exclusive lock on one byte of a file beside the database. The locks are those of an open file
/// description: they end with the process or the store, and several stores of one process exclude each other.
final class OwnerLocks {
  // The values of F_OFD_SETLK and F_OFD_GETLK, which Swift does not import from glibc.
  #if canImport(Darwin)
    private static let (set, get): (Int32, Int32) = (90, 92)
  #else
    private static let (set, get): (Int32, Int32) = (37, 36)
  #endif

  private let file: Int32
  /// Which file it is: a lock in another one, such as one that was removed, says nothing about this one. The number of
  /// a removed file is not reused while a process has it open.
  let fileNumber: Int64
  /// The IDs of the owners whose lock this store has. The kernel doesn't report them to it.
  private var held: Set<String> = []

  /// - Returns: nil if the file can't be opened: owners are judged by their leases alone then.
  init?(path: String) {
    // Only the user of the process can lock it.
    file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    var status = stat()
    guard file >= 0 else { return nil }
    guard fstat(file, &status) == 0 else {
      close(file)
      return nil
    }
    fileNumber = Int64(truncatingIfNeeded: status.st_ino)
  }

  deinit { close(file) }

  /// Locks the byte of an owner until this store is closed.
  ///
  /// - Returns: whether it is locked, by this store or by another one that has the same owner.
  func hold(_ id: String) -> Bool {
    if held.contains(id) { return true }
    var lock = OwnerLocks.lock(of: id)
    if fcntl(file, OwnerLocks.set, &lock) == 0 {
      held.insert(id)
      return true
    }
    return errno == EAGAIN || errno == EACCES
  }

  /// Whether the process of an owner lives that has recorded a lock in this file.
  func isHeld(_ id: String) -> Bool {
    if held.contains(id) { return true }
    var lock = OwnerLocks.lock(of: id)
    return fcntl(file, OwnerLocks.get, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
  }

  /// The lock on the byte at an offset of 62 bits from the random ID.
  private static func lock(of id: String) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t((UInt64(id.prefix(16), radix: 16) ?? 0) >> 2)
    lock.l_len = 1
    return lock
  }
}
