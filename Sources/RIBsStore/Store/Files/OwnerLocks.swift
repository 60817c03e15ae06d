// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Locks by which the processes of one machine notice that an owner's process is dead, before its lease ends.
///
/// For a store of yours whose processes share a local disk. Each owner has an exclusive lock on one byte of a file. The locks
/// are those of an open file description: they end with the process or the object, and several objects of one process exclude
/// each other.
///
/// ```swift
/// let (owner, path) = (TreeOwner(), "/tmp/orders-owners")
/// if let locks = OwnerLocks(path: path) { print(locks.hold(owner.id), locks.isHeld(owner.id)) }
/// ```
public final class OwnerLocks: Sendable {
  // The values of F_OFD_SETLK and F_OFD_GETLK, which Swift does not import from glibc.
  #if canImport(Darwin)
    private static let (set, get): (Int32, Int32) = (90, 92)
  #else
    private static let (set, get): (Int32, Int32) = (37, 36)
  #endif

  private let file: Int32
  /// Which file it is: record it with the owner.
  ///
  /// A lock in another file, such as one that was removed, says nothing about this one. The number of a removed file is not
  /// reused while a process has it open.
  public let fileNumber: Int64
  /// The IDs of the owners whose lock this object has. The kernel doesn't report them to it.
  private let held = Locked<Set<String>>([])

  /// Opens a file, which is created if there is none. Only the user of the process can lock it.
  ///
  /// - Returns: nil if the file can't be opened: owners are judged by their leases alone then.
  public init?(path: String) {
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

  /// Locks the byte of an owner until this object is released.
  ///
  /// - Parameter id: that of a `TreeOwner`.
  /// - Returns: whether it is locked, by this object or by another one that has the same owner.
  public func hold(_ id: String) -> Bool {
    held.withLock { held in
      if held.contains(id) { return true }
      var lock = OwnerLocks.lock(of: id)
      if fcntl(file, OwnerLocks.set, &lock) == 0 {
        held.insert(id)
        return true
      }
      return errno == EAGAIN || errno == EACCES
    }
  }

  /// Whether the process of an owner lives that has recorded a lock in this file.
  ///
  /// - Parameter id: that of a `TreeOwner`.
  public func isHeld(_ id: String) -> Bool {
    if held.withLock({ $0.contains(id) }) { return true }
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
