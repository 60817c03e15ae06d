// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Clients of an inspector in another process, which follow all trees.
///
/// The process is started without Foundation's `Process`, which fails under valgrind.
final class Follower {
  private var process = pid_t()
  private let input: Int32

  /// Returns when they follow events.
  convenience init(_ socketPath: String, count: Int = 1, isReading: Bool) throws {
    try self.init(socketPath, count: count, kind: isReading ? "reading" : "silent")
  }

  /// - Parameter kind: `reading`, `silent`, or `polling` for one that reads the list of trees again and again.
  init(_ socketPath: String, count: Int = 1, kind: String) throws {
    let (input, output) = (try Follower.pipe(), try Follower.pipe())
    self.input = input.writer
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reader, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writer, STDOUT_FILENO)
    let program = CommandLine.arguments[0]
    let arguments = [program, "client", socketPath, "\(count)", kind]
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    guard posix_spawn(&process, program, &actions, nil, &pointers, environ) == 0 else { throw lastError }
    for end in [input.reader, output.writer] { close(end) }
    var byte: UInt8 = 0
    _ = read(output.reader, &byte, 1)
    close(output.reader)
  }

  private static func pipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw lastError }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  func leave() {
    close(input)
    waitpid(process, nil, 0)
  }
}

/// Connects clients to an inspector and follows all trees, until standard input ends.
func follow(_ socketPath: String, count: Int, isReading: Bool) throws {
  let clients = try (0..<count).map { _ in
    let client = try connected(to: socketPath)
    let request = Array("{\"request\":\"events\"}\n".utf8)
    guard send(client, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw lastError }
    var bytes = [UInt8](repeating: 0, count: 64)
    // It follows events, or is refused because there are too many followers.
    _ = recv(client, &bytes, bytes.count, 0)
    return client
  }
  try FileHandle.standardOutput.write(contentsOf: Data("ready\n".utf8))
  var polled = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
  if isReading { polled += clients.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    _ = poll(&polled, .init(polled.count), -1)
    if polled[0].revents != 0 { return }
    for client in polled.dropFirst() where client.revents != 0 { _ = recv(client.fd, &bytes, bytes.count, 0) }
  }
}

/// Reads the list of trees as often as `ribs serve` does, until standard input ends: at most every half second, and at
/// most a twentieth of the time.
func pollTrees(_ socketPath: String) async throws {
  var polled = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
  var pause = Duration.zero
  repeat {
    let time = try await timeOfList(socketPath)
    if pause == .zero { try FileHandle.standardOutput.write(contentsOf: Data("ready\n".utf8)) }
    pause = max(.milliseconds(500), time * 20)
    _ = poll(&polled, 1, Int32(pause / .milliseconds(1)))
  } while polled[0].revents == 0
}

/// A socket connected to an inspector.
func connected(to path: String) throws -> Int32 {
  let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard client >= 0, status == 0 else { throw lastError }
  return client
}

private var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
