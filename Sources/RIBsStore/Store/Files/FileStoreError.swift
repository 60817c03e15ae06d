// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// An error of a `FileStore`. Its description names the file, what happened and what to do.
public enum FileStoreError: TreeStoreError, Hashable, CustomStringConvertible {
  /// Another store, of this process or another one, has the directory open.
  case inUse(directory: String)
  /// The lock file was removed or replaced, so another process may write. Nothing was written.
  case lockLost(directory: String)
  /// The store was closed.
  case closed(directory: String)
  /// The name of a file would be longer than 240 bytes.
  case nameTooLong(TreeKey)
  /// A file is not as this store wrote it. The file is unchanged.
  case damaged(file: String, reason: String)
  /// A file was written by a later version of the store. The file is unchanged.
  case laterFormat(file: String, format: Int)
  /// A system call failed. The code is a value of `errno`, such as `ENOSPC`.
  case system(call: String, path: String, code: Int32)

  /// Whether the disk, or what its user may use of it, is full.
  var isFullDisk: Bool { if case .system(_, _, let code) = self { code == ENOSPC || code == EDQUOT } else { false } }

  /// Whether only one tree is concerned: by `nameTooLong`, `damaged` and `laterFormat`.
  public var isOfTree: Bool {
    switch self {
    case .nameTooLong, .damaged, .laterFormat: true
    case .inUse, .lockLost, .closed, .system: false
    }
  }

  /// Whether the store can't hold the ID of the tree: for `nameTooLong`.
  public var isPermanent: Bool { if case .nameTooLong = self { true } else { false } }

  /// Which file, what happened, and what to do.
  public var description: String {
    switch self {
    case .inUse(let directory):
      "The store at \(directory) is in use. One FileStore at a time can open a directory: end the other process, "
        + "close its store, or use another directory."
    case .lockLost(let directory):
      "The lock file of the store at \(directory) is gone, or is another file: it was deleted, or the directory was "
        + "moved, unmounted or replaced. Nothing is read or written until the lock file is back, because another process may have "
        + "opened the directory. If it can't come back, restart this process. Never delete the lock file."
    case .closed(let directory):
      "The store at \(directory) was closed before this call. Close it after the last call."
    case .nameTooLong(let key):
      "The kind or the ID of \(key) is too long for the name of a file: 240 bytes, in which every character but a-z, "
        + "0-9, - and _ counts as three for each byte. Use a shorter ID, such as a digest."
    case .damaged(let file, let reason):
      "\(file) is not a record of this store: \(reason). The file is unchanged. Restore it from a backup, or move it away."
    case .laterFormat(let file, let format):
      "\(file) has the format \(format) of a later version of this library. The file is unchanged. Update the program."
    case .system(let call, let path, let code):
      "\(call) of \(path) failed: \(String(cString: strerror(code))) (errno \(code)). \(FileStoreError.advice(code))"
    }
  }

  private static func advice(_ code: Int32) -> String {
    switch code {
    case ENOSPC: "Free space on its disk."
    case EDQUOT: "Free space, or raise the quota of the user."
    case EFBIG: "Raise the limit of the size of files, such as with ulimit -f."
    case EACCES, EPERM: "Let the user of the process read and write the directory and all in it, or use another one."
    case EROFS: "Mount the file system so that it can be written, or use another directory."
    case ENOENT: "Check the path: a folder of it is missing, or was removed or renamed."
    case ENOTDIR, EEXIST: "Move away the file that has the name of a folder, or use another directory."
    case EMFILE, ENFILE: "Raise the limit of open files, such as with ulimit -n."
    case EIO: "The disk may be damaged: copy the directory, and replace the disk."
    default: "Repair the cause, or use another directory."
    }
  }
}
