internal import Foundation

/// The directory in which the processes of a user have their sockets, and which nobody else can enter.
struct SocketDirectory: Sendable, Hashable {
  let path: String

  /// - Parameter path: the directory; nil for the usual one: `$XDG_RUNTIME_DIR/ribs`, or else one for each user in the
  ///   temporary directory.
  init(_ path: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.path = path.map(SocketDirectory.withoutDetours) ?? SocketDirectory.usual(environment)
  }

  /// A path that names its directory itself: `link/` and `link/.` would lead behind a link instead of being the link.
  private static func withoutDetours(_ path: String) -> String {
    var path = path.trimmed
    while path.hasSuffix("/.") { path = String(path.dropLast(2)).isEmpty ? "/" : String(path.dropLast(2)).trimmed }
    guard [".", ".."].contains(path) || path.hasSuffix("/.."), let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func usual(_ environment: [String: String]) -> String {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") { return "\(runtime.trimmed)/ribs" }
    let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0.trimmed : nil } ?? "/tmp"
    return "\(temporary)/ribs-\(geteuid())"
  }

  /// Makes the directory if it is not there, and refuses one that is not safe.
  func prepare() throws(InspectorError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw error("it can't be made: \(SystemCalls.lastError)")
    }
    guard try check() else { throw error("it has just gone") }
  }

  /// Refuses a directory that somebody else could read, change or have put there.
  ///
  /// - Returns: whether the directory is there.
  func check() throws(InspectorError) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw error(SystemCalls.lastError)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFLNK: throw error("it is a link, which may lead anywhere; remove the link")
    default: throw error("it is no directory; remove what is there")
    }
    guard status.st_uid == geteuid() else {
      throw error("it belongs to another user, with the number \(status.st_uid)")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw error("others may enter or change it (its mode is \(mode)); 'chmod 700' it if you trust what is in it")
    }
    try checkParent()
    return true
  }

  /// Whoever may rename what is in the parent could put another directory in the place of this one.
  private func checkParent() throws(InspectorError) {
    let parent = (path as NSString).deletingLastPathComponent
    var status = stat()
    guard stat(parent.isEmpty ? "." : parent, &status) == 0 else { throw error(SystemCalls.lastError) }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw error("it stands in a directory of another user, with the number \(status.st_uid)")
    }
    guard status.st_mode & 0o022 == 0 || status.st_mode & mode_t(S_ISVTX) != 0 else {
      throw error("it stands in a directory that others may change: \(parent)")
    }
  }

  private func error(_ reason: String) -> InspectorError {
    let advice = "Set XDG_RUNTIME_DIR to a directory of your own to have it elsewhere."
    return InspectorError(.directory, "The directory of the sockets, \(path), can't be used: \(reason). \(advice)")
  }

  // MARK: Sockets

  /// The sockets in the directory behind which there is a process. Those of processes that have gone are removed.
  func sockets() throws(InspectorError) -> [String] {
    guard try check() else { return [] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    return names.map { "\(path)/\($0)" }.filter { socket in
      guard let age = ageOfSocket(socket) else { return false }
      // One that has not got its name yet may not be listened to yet.
      let isNamed = socket.hasSuffix(".sock")
      guard isNamed || age > 60, isDeserted(socket) else { return isNamed }
      unlink(socket)
      return false
    }
  }

  /// How many seconds ago a socket was made; nil for what is no socket of this user's inspectors.
  private func ageOfSocket(_ path: String) -> Int? {
    var status = stat()
    guard path.hasSuffix(".sock") || path.hasSuffix(".new"), lstat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else { return nil }
    #if canImport(Darwin)
      return time(nil) - status.st_mtimespec.tv_sec
    #else
      return time(nil) - status.st_mtim.tv_sec
    #endif
  }

  /// Whether nobody listens any more. A socket gets its name when somebody listens.
  private func isDeserted(_ path: String) -> Bool {
    let socket = SystemCalls.makeSocket()
    guard socket >= 0 else { return false }
    defer { close(socket) }
    SystemCalls.setNonblocking(socket)
    return SystemCalls.withAddress(path) { connect(socket, $0, $1) } != 0 && errno == ECONNREFUSED
  }

  /// Makes a socket that listens, named after this process.
  ///
  /// - Returns: the socket and its path.
  func listen() throws(InspectorError) -> (socket: Int32, path: String) {
    try prepare()
    _ = try sockets()
    let process = ProcessInfo.processInfo
    let name = process.processName.unicodeScalars.prefix(40).map { $0.isPlain ? String($0) : "_" }.joined()
    let base = "\(path)/\(name)-\(process.processIdentifier)"
    // Under another name until it listens: otherwise somebody might take it for one that is deserted.
    let preliminary = "\(base).\(UInt32.random(in: .min ... .max)).new"
    let socket = SystemCalls.makeSocket()
    do throws(InspectorError) {
      guard socket >= 0 else { throw refusal("can't be made") }
      SystemCalls.setNonblocking(socket)
      guard SystemCalls.withAddress(preliminary, { bind(socket, $0, $1) }) == 0 else {
        throw refusal("can't be made in \(path)")
      }
      defer { unlink(preliminary) }
      guard chmod(preliminary, 0o600) == 0, Foundation.listen(socket, 128) == 0 else {
        throw refusal("can't be listened to")
      }
      // Further inspectors of a process have numbers.
      for number in 1...1_000 {
        let path = number == 1 ? "\(base).sock" : "\(base).\(number).sock"
        if link(preliminary, path) == 0 { return (socket, path) }
        guard errno == EEXIST else { break }
      }
      throw refusal("can't be named \(base).sock")
    } catch {
      if socket >= 0 { close(socket) }
      throw error
    }
  }

  private func refusal(_ problem: String) -> InspectorError {
    guard errno == ENAMETOOLONG else {
      return InspectorError(.socket, "The socket \(problem): \(SystemCalls.lastError).")
    }
    let advice = "Set XDG_RUNTIME_DIR to a shorter path."
    return InspectorError(.socket, "The socket \(problem): its path is too long for an address. \(advice)")
  }
}

extension String {
  /// The path without slashes at its end.
  fileprivate var trimmed: String {
    var path = self[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    isASCII && (properties.isAlphabetic || "0"..."9" ~= self || self == "_" || self == "-")
  }
}
