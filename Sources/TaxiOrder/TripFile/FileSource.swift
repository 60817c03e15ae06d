internal import Foundation

/// Reads a file, or standard input.
///
/// A read waits for input without giving up the thread, but wakes up now and then to see whether the task was cancelled.
final class FileSource: ByteSource {
  private static let chunkSize = 1 << 16

  private let file: FileHandle

  /// - Parameter path: the file; `-` for standard input.
  /// - Throws: `TripFileError.unreadable`.
  init(path: String) throws {
    guard path != "-" else {
      file = .standardInput
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileSource.failure }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func read() throws -> [UInt8] {
    let descriptor = file.fileDescriptor
    try waitForInput(descriptor)
    var failure: TripFileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: FileSource.chunkSize) { buffer, count in
      count = 0
      while true {
        let result = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        if result >= 0 {
          count = result
          return
        }
        guard errno == EINTR else { break }
      }
      failure = FileSource.failure
    }
    if let failure { throw failure }
    return bytes
  }

  private func waitForInput(_ descriptor: Int32) throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      try Task.checkCancellation()
      let ready = poll(&request, 1, 100)
      guard ready == 0 || (ready < 0 && errno == EINTR) else { return }
    }
  }

  private static var failure: TripFileError { .unreadable(String(cString: strerror(errno))) }
}
