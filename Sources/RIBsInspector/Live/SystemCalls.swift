internal import Foundation

/// What the inspector asks of the system, with one spelling for all of them.
enum SystemCalls {
  /// What the last call that failed says.
  static var lastError: String { String(cString: strerror(errno)) }

  /// A new socket that is not handed on to other programs.
  static func makeSocket() -> Int32 {
    #if canImport(Glibc)
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    if socket >= 0 { prepare(socket) }
    return socket
  }

  /// Keeps a socket from other programs that this one starts, and this one from dying of a reader that has gone.
  static func prepare(_ socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var yes: Int32 = 1
      _ = setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Lets calls on a socket return at once that would have to wait.
  static func setNonblocking(_ socket: Int32, _ isNonblocking: Bool = true) {
    let flags = fcntl(socket, F_GETFL)
    _ = fcntl(socket, F_SETFL, isNonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK)
  }

  /// Whether the call that has just failed would have had to wait.
  static var wouldBlock: Bool { errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }

  /// How long a path the address of a socket has room for, with the zero at its end.
  static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  /// Calls a function with the address of a socket.
  static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < longestPath else {
      errno = ENAMETOOLONG
      return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Sends as much as there is room for.
  ///
  /// - Returns: how many bytes were sent; negative if none could be.
  static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
    #if canImport(Darwin)
      Foundation.send(socket, bytes.baseAddress, bytes.count, 0)
    #else
      Foundation.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// Ends both directions of a socket, so that whoever waits for it is woken.
  static func shutDown(_ socket: Int32) { _ = shutdown(socket, 2) }

  /// Reads what is there.
  ///
  /// - Returns: the bytes; empty at the end, nil if there are none now or the other side has gone.
  static func read(_ socket: Int32, upTo count: Int) -> [UInt8]? {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = recv(socket, buffer.baseAddress, count, 0)
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }
}
