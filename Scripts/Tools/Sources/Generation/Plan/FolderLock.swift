import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lets one process at a time write in a folder. The lock ends with the process that holds it.
enum FolderLock {
  static func holding<Result>(_ folder: URL, _ body: () throws -> Result) throws -> Result {
    let descriptor = open(folder.path, O_RDONLY)
    guard descriptor >= 0 else { throw Failure.missing("there is no folder '\(folder.path)'") }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    return try body()
  }
}
