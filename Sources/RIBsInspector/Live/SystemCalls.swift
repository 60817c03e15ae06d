// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// System calls of the inspector, with the platform differences resolved.
enum SystemCalls {
  /// The message of the last failed call.
  static var lastError: String { String(cString: strerror(errno)) }

  /// Starts a thread that has its name also in `top` and in a debugger.
  ///
  /// - Parameter name: at most 15 bytes.
  static func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    // On Linux, a thread gets the name of its creator when it starts, and no other name before `start()` has returned
    // (Swift 6.3).
    let hasStarted = DispatchSemaphore(value: 0)
    let thread = Thread {
      hasStarted.wait()
      Thread.current.name = name
      body()
    }
    thread.start()
    hasStarted.signal()
  }

  /// A new blocking socket that is not inherited by child processes.
  static func makeSocket() -> Int32 {
    #if canImport(Glibc)
      return prepared(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    #elseif canImport(Darwin)
      return prepared(socket(AF_UNIX, SOCK_STREAM, 0))
    #else
      return prepared(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    #endif
  }

  /// Accepts the next connection, non-blocking and not inherited by child processes.
  ///
  /// - Returns: negative if there is none.
  static func accept(at socket: Int32) -> Int32 {
    // `accept4` would set both at once, but is not part of the module `Glibc` (Swift 6.3).
    let accepted = prepared(Foundation.accept(socket, nil, nil))
    guard accepted >= 0 else { return accepted }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    setNonblocking(accepted)
    return accepted
  }

  /// Two connected sockets, non-blocking and not inherited by child processes; nil if no descriptor is free.
  static func makeSocketPair() -> (reader: Int32, writer: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    ends = ends.map(prepared)
    guard ends.allSatisfy({ $0 >= 0 }) else {
      for end in ends where end >= 0 { close(end) }
      return nil
    }
    for end in ends { setNonblocking(end) }
    return (ends[0], ends[1])
  }

  /// Moves a new descriptor out of the range of the standard streams. If the process has closed those, text written
  /// to standard error would otherwise reach a client.
  ///
  /// - Returns: the descriptor; negative, with `errno` set, on failure.
  private static func prepared(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return descriptor }
    var result = descriptor
    if descriptor <= STDERR_FILENO {
      result = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      let error = errno
      close(descriptor)
      errno = error
    }
    #if canImport(Darwin)
      guard result >= 0 else { return result }
      _ = fcntl(result, F_SETFD, FD_CLOEXEC)
      var yes: Int32 = 1
      _ = setsockopt(result, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return result
  }

  /// Whether the process keeps enough free descriptors when the inspector uses one more.
  ///
  /// A quarter of the limit is kept free, at least 4 and at most 64 descriptors.
  ///
  /// - Parameter descriptor: the descriptor in use. The system assigns the lowest free one, so all free ones are
  ///   above it.
  static func hasReserve(after descriptor: Int32) -> Bool {
    var limits = rlimit()
    #if canImport(Glibc)
      let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
      let status = getrlimit(RLIMIT_NOFILE, &limits)
    #endif
    guard status == 0 else { return true }
    let limit = Int(min(limits.rlim_cur, rlim_t(Int32.max)))
    var missing = min(64, max(4, limit / 4))
    var next = Int(descriptor) + 1
    while missing > 0, next < limit {
      // `poll` reports descriptors that are not open, without waiting.
      var polled = (next..<min(limit, next + 256)).map { pollfd(fd: Int32($0), events: 0, revents: 0) }
      guard poll(&polled, .init(polled.count), 0) >= 0 || errno == EINTR else { return false }
      missing -= polled.count { $0.revents & Int16(POLLNVAL) != 0 }
      next += polled.count
    }
    return missing <= 0
  }

  /// Sets or clears non-blocking mode.
  static func setNonblocking(_ socket: Int32, _ isNonblocking: Bool = true) {
    let flags = fcntl(socket, F_GETFL)
    _ = fcntl(socket, F_SETFL, isNonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK)
  }

  /// Whether the call that has just failed would have blocked.
  static var wouldBlock: Bool { errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }

  /// The capacity of a socket address for a path, including the terminating zero.
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

  /// Sends as many bytes as the socket accepts.
  ///
  /// - Returns: the number of bytes sent; negative if none could be.
  static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
    #if canImport(Darwin)
      Foundation.send(socket, bytes.baseAddress, bytes.count, 0)
    #else
      Foundation.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// The processor time used by the calling thread.
  static var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// Writes all bytes to a blocking or non-blocking descriptor. Blocks until they are written.
  ///
  /// - Returns: whether all bytes were written.
  @discardableResult
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Ends both directions of a socket, which wakes a waiting read.
  static func shutDown(_ socket: Int32) { _ = shutdown(socket, 2) }

  /// Reads available bytes.
  ///
  /// - Returns: the bytes; empty at the end of input, nil if the call failed or would have blocked.
  static func read(_ socket: Int32, upTo count: Int) -> [UInt8]? {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = recv(socket, buffer.baseAddress, count, 0)
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }
}
