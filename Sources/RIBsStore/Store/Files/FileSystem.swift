// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The system calls of a `FileStore`. Tests count them, fail them, and end a simulated machine between them.
package protocol FileSystem: Sendable {
  /// Returns false if the directory exists.
  func makeDirectory(_ path: String) throws(FileStoreError) -> Bool
  /// The names in a directory, in any order; nil if there is no directory at the path.
  func names(in directory: String) throws(FileStoreError) -> [String]?
  /// The first bytes of a file; nil if there is none.
  func read(_ path: String, atMost limit: Int) throws(FileStoreError) -> [UInt8]?
  /// Creates an empty file, and opens it.
  func create(_ path: String) throws(FileStoreError) -> OpenFile
  /// Appends all bytes.
  func write(_ bytes: [UInt8], to file: OpenFile) throws(FileStoreError)
  /// Returns when what was written survives a crash of the machine.
  func synchronize(_ file: OpenFile) throws(FileStoreError)
  func close(_ file: OpenFile)
  /// Replaces the file at the new path, if there is one.
  func rename(_ path: String, to newPath: String) throws(FileStoreError)
  /// Does nothing if there is no file.
  func remove(_ path: String) throws(FileStoreError)
  /// Does nothing if there is no directory. Throws if it has names.
  func removeDirectory(_ path: String) throws(FileStoreError)
  /// Returns when the names in the directory survive a crash of the machine.
  func synchronizeDirectory(_ path: String) throws(FileStoreError)
  /// Opens and locks a file, which is created if there is none; nil if another open file has the lock.
  func lock(_ path: String) throws(FileStoreError) -> OpenFile?
  /// Unlocks and closes a file.
  func unlock(_ file: OpenFile)
  /// Whether the path still leads to the file.
  func isInPlace(_ file: OpenFile) -> Bool
}

/// An open file.
package struct OpenFile: Sendable {
  package let descriptor: Int32
  package let path: String

  package init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }
}

/// The file system of the machine.
package struct SystemFiles: FileSystem {
  package init() {}

  package func makeDirectory(_ path: String) throws(FileStoreError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw failure("mkdir", path) }
    return false
  }

  package func names(in directory: String) throws(FileStoreError) -> [String]? {
    guard let stream = opendir(directory) else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("opendir", directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // Skips names that are not UTF-8, which no store has written.
      if let name, name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw failure("readdir", directory) }
    return names
  }

  package func read(_ path: String, atMost limit: Int) throws(FileStoreError) -> [UInt8]? {
    guard let descriptor = try descriptor(of: path, O_RDONLY, missing: [ENOENT]) else { return nil }
    defer { _ = Foundation.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("fstat", path) }
    let size = Int(status.st_size)
    var (bytes, isAtEnd): ([UInt8], Bool) = ([], false)
    // Reads one byte more than the file has, so that the end of the file needs no second call.
    var count = min(limit, size + 1)
    while bytes.count < limit, !isAtEnd {
      var code: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        var taken = Foundation.read(descriptor, buffer.baseAddress, count)
        while taken < 0, errno == EINTR { taken = Foundation.read(descriptor, buffer.baseAddress, count) }
        if taken < 0 { code = errno }
        filled = max(taken, 0)
      }
      guard code == 0 else { throw FileStoreError.system(call: "read", path: path, code: code) }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      // A short read is no end: file systems in user space and over networks return less than they have.
      isAtEnd = chunk.isEmpty || chunk.count < count && bytes.count == size
      count = min(limit - bytes.count, max(size - bytes.count + 1, 65_536))
    }
    return bytes
  }

  package func create(_ path: String) throws(FileStoreError) -> OpenFile {
    guard let descriptor = try descriptor(of: path, O_WRONLY | O_CREAT | O_EXCL) else { throw failure("open", path) }
    return OpenFile(descriptor: descriptor, path: path)
  }

  package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileStoreError) {
    var (written, code): (Int, Int32) = (0, 0)
    bytes.withUnsafeBytes { buffer in
      while written < buffer.count {
        let taken = Foundation.write(
          file.descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]).baseAddress, buffer.count - written)
        if taken > 0 {
          written += taken
        } else if taken == 0 || errno != EINTR {
          code = taken == 0 ? ENOSPC : errno
          return
        }
      }
    }
    guard code == 0 else { throw FileStoreError.system(call: "write", path: file.path, code: code) }
  }

  package func synchronize(_ file: OpenFile) throws(FileStoreError) {
    #if canImport(Darwin)
      // fsync leaves the data in the cache of the drive. Some file systems know only fsync.
      if fcntl(file.descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(file.descriptor) != 0 {
      guard errno == EINTR else { throw failure("fsync", file.path) }
    }
  }

  package func close(_ file: OpenFile) { _ = Foundation.close(file.descriptor) }

  package func rename(_ path: String, to newPath: String) throws(FileStoreError) {
    guard Foundation.rename(path, newPath) == 0 else { throw failure("rename", newPath) }
  }

  package func remove(_ path: String) throws(FileStoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", path) }
  }

  package func removeDirectory(_ path: String) throws(FileStoreError) {
    guard rmdir(path) == 0 || errno == ENOENT else { throw failure("rmdir", path) }
  }

  package func synchronizeDirectory(_ path: String) throws(FileStoreError) {
    guard let descriptor = try descriptor(of: path, O_RDONLY | O_DIRECTORY) else { throw failure("open", path) }
    let directory = OpenFile(descriptor: descriptor, path: path)
    defer { close(directory) }
    try synchronize(directory)
  }

  package func lock(_ path: String) throws(FileStoreError) -> OpenFile? {
    guard let descriptor = try descriptor(of: path, O_RDWR | O_CREAT) else { throw failure("open", path) }
    let file = OpenFile(descriptor: descriptor, path: path)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let code = errno
      close(file)
      if code == EWOULDBLOCK { return nil }
      throw FileStoreError.system(call: "flock", path: path, code: code)
    }
    return file
  }

  package func unlock(_ file: OpenFile) {
    // Closing alone would leave the lock to a child process that has yet to close its copy of the descriptor.
    _ = flock(file.descriptor, LOCK_UN)
    close(file)
  }

  package func isInPlace(_ file: OpenFile) -> Bool {
    var (opened, found) = (stat(), stat())
    guard fstat(file.descriptor, &opened) == 0, stat(file.path, &found) == 0 else { return false }
    return opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }

  /// Opens a file; returns nil if it fails with one of the given codes.
  private func descriptor(of path: String, _ flags: Int32, missing: [Int32] = []) throws(FileStoreError) -> Int32? {
    while true {
      let descriptor = open(path, flags | O_CLOEXEC, 0o600)
      if descriptor >= 0 { return descriptor }
      if errno == EINTR { continue }
      if missing.contains(errno) { return nil }
      throw failure("open", path)
    }
  }

  private func failure(_ call: String, _ path: String) -> FileStoreError {
    .system(call: call, path: path, code: errno)
  }
}
