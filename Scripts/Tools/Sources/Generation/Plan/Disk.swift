// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file system of the machine.
public struct Disk: FileSystem {
  public init() {}

  public func kind(of url: URL) -> FileKind? {
    var status = stat()
    guard lstat(url.path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  public func contents(of file: URL) throws -> Data { try Data(contentsOf: file) }

  public func permissions(of url: URL) throws -> Int {
    var status = stat()
    try check(lstat(url.path, &status), url)
    return Int(status.st_mode & 0o7777)
  }

  public func entries(of folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  public func isWritable(_ url: URL) -> Bool {
    access(url.path, kind(of: url) == .folder ? W_OK | X_OK : W_OK) == 0
  }

  public func perform(_ operation: FileOperation) throws {
    switch operation {
    case .createFolder(let url, let permissions):
      try check(mkdir(url.path, 0o777), url)
      if let permissions { try check(chmod(url.path, mode_t(permissions)), url) }
    case .removeFolder(let url): try check(rmdir(url.path), url)
    case .createFile(let url, let data, let permissions): try create(url, data, permissions)
    case .move(let url, let destination): try check(rename(url.path, destination.path), destination)
    case .link(let url, let name): try link(url, name)
    case .copyAttributes(let source, let destination): try copyAttributes(of: source, to: destination)
    case .removeFile(let url): try check(unlink(url.path), url)
    case .sync(let url): try sync(url)
    }
  }

  private func create(_ url: URL, _ data: Data, _ permissions: Int?) throws {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
    try check(descriptor, url)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: data)
    if let permissions { try check(fchmod(descriptor, mode_t(permissions)), url) }
    try check(fsync(descriptor), url)
    try handle.close()
  }

  private func link(_ url: URL, _ name: URL) throws {
    #if canImport(Darwin)
      let result = Darwin.link(url.path, name.path)
    #else
      let result = Glibc.link(url.path, name.path)
    #endif
    // Some file systems have no second names.
    if result != 0, [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) {
      return try create(name, try contents(of: url), try permissions(of: url))
    }
    try check(result, name)
  }

  private func copyAttributes(of source: URL, to destination: URL) throws {
    var (old, new) = (stat(), stat())
    try check(lstat(source.path, &old), source)
    try check(lstat(destination.path, &new), destination)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) {
      // Only the superuser may give a file to another user. A change of the owner clears bits of the permissions.
      if lchown(destination.path, old.st_uid, old.st_gid) != 0, lchown(destination.path, new.st_uid, old.st_gid) != 0 {
        guard errno == EPERM else { return try check(-1, destination) }
      }
      try check(chmod(destination.path, old.st_mode & 0o7777), destination)
    }
    #if canImport(Darwin)
      try check(copyfile(source.path, destination.path, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)), source)
    #endif
  }

  private func sync(_ folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY)
    try check(descriptor, folder)
    defer { close(descriptor) }
    // Some file systems can't flush folders and return an error.
    if fsync(descriptor) != 0 && errno != EINVAL { try check(-1, folder) }
  }

  private func check(_ result: Int32, _ url: URL) throws {
    guard result < 0 else { return }
    throw DiskError(path: url.path, reason: String(cString: strerror(errno)))
  }
}

/// A failed system call.
public struct DiskError: Error, CustomStringConvertible {
  public let path: String
  public let reason: String

  public var description: String { "\(path): \(reason)" }
}
