// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The directory of a user's inspector sockets, which only that user may enter.
struct SocketDirectory: Sendable, Hashable {
  let path: String

  /// - Parameter path: the directory. Defaults to `$XDG_RUNTIME_DIR/ribs`, or a per-user directory in the temporary
  ///   directory.
  init(_ path: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.path = path.map(SocketDirectory.normalized) ?? SocketDirectory.usual(environment)
  }

  /// The path without trailing `/` and `/.`, which would make `lstat` follow a symbolic link instead of reporting it.
  private static func normalized(_ path: String) -> String {
    var path = path.trimmed
    while path.hasSuffix("/.") { path = String(path.dropLast(2)).isEmpty ? "/" : String(path.dropLast(2)).trimmed }
    guard [".", ".."].contains(path) || path.hasSuffix("/.."), let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The usual directories of the other users that this process may enter: none, except for root.
  static var ofOtherUsers: [SocketDirectory] {
    guard geteuid() == 0 else { return [] }
    let users = ((try? FileManager.default.contentsOfDirectory(atPath: "/run/user")) ?? []).map {
      "/run/user/\($0)/ribs"
    }
    let temporary = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
    // Any user may create such a directory, with any number, so it counts only if it is that user's.
    let others = temporary.compactMap { name in
      name.hasPrefix("ribs-") ? uid_t(name.dropFirst(5)).map { (uid: $0, path: "/tmp/\(name)") } : nil
    }
    let own = others.filter { SocketDirectory.owner(of: $0.path) == $0.uid }.map(\.path)
    return (users.sorted() + own.sorted()).map { SocketDirectory($0) }
  }

  private static func owner(of path: String) -> uid_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_uid : nil
  }

  private static func usual(_ environment: [String: String]) -> String {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") { return "\(runtime.trimmed)/ribs" }
    let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0.trimmed : nil } ?? "/tmp"
    return "\(temporary)/ribs-\(geteuid())"
  }

  /// Creates the directory if it does not exist, and refuses an unsafe one.
  func prepare() throws(InspectorError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw error("it can't be created: \(SystemCalls.lastError)")
    }
    guard try check(admittingRoot: false) != nil else { throw error("it was removed meanwhile") }
  }

  /// Refuses a directory that a user other than its owner could read, change or have created.
  ///
  /// - Parameter admittingRoot: whether root may use the directory of another user.
  /// - Returns: the owner; nil if the directory does not exist.
  private func check(admittingRoot: Bool) throws(InspectorError) -> uid_t? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw error(SystemCalls.lastError)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFLNK: throw error("it is a symbolic link; remove the link")
    default: throw error("it is not a directory; remove the file")
    }
    guard status.st_uid == geteuid() || (admittingRoot && geteuid() == 0) else {
      throw error("it belongs to another user (uid \(status.st_uid))")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw error("other users may enter or change it (mode \(mode)); run 'chmod 700' if you trust its content")
    }
    try checkParent(owner: status.st_uid)
    return status.st_uid
  }

  /// A user who may rename entries of the parent directory could replace this one.
  private func checkParent(owner: uid_t) throws(InspectorError) {
    // By bytes: a character may consist of a slash and what is after it. NSString traps on Linux for a path of one character.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var status = stat()
    guard stat(parent, &status) == 0 else { throw error(SystemCalls.lastError) }
    guard status.st_uid == owner || status.st_uid == 0 else {
      throw error("its parent directory belongs to another user (uid \(status.st_uid))")
    }
    guard status.st_mode & 0o022 == 0 || status.st_mode & mode_t(S_ISVTX) != 0 else {
      throw error("other users may change its parent directory, \(parent)")
    }
  }

  private func error(_ reason: String) -> InspectorError {
    let advice = "Set XDG_RUNTIME_DIR to a directory of your own."
    return InspectorError(.directory, "The socket directory \(path) can't be used: \(reason). \(advice)")
  }

  // MARK: Sockets

  /// The sockets in the directory that have a running process. Removes stale ones, unless another user owns the
  /// directory and could make root remove something else.
  func sockets() throws(InspectorError) -> [String] {
    guard let owner = try check(admittingRoot: true) else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      guard access(path, F_OK) == 0 else { return [] }
      throw self.error("it can't be read: \(error.localizedDescription)")
    }
    return names.map { "\(path)/\($0)" }.filter { socket in
      guard let age = ageOfSocket(socket, owner: owner) else { return false }
      // A socket without its final name may not be listening yet.
      let isNamed = socket.hasSuffix(".sock")
      guard isNamed || age > 60, isStale(socket) else { return isNamed }
      if owner == geteuid() { unlink(socket) }
      return false
    }
  }

  /// The age of a socket in seconds; nil if the file is not an inspector socket of the user.
  private func ageOfSocket(_ path: String, owner: uid_t) -> Int? {
    var status = stat()
    guard path.hasSuffix(".sock") || path.hasSuffix(".new"), lstat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == owner else { return nil }
    #if canImport(Darwin)
      return time(nil) - status.st_mtimespec.tv_sec
    #else
      return time(nil) - status.st_mtim.tv_sec
    #endif
  }

  /// Whether no process listens on the socket. A socket gets its final name once a process listens.
  private func isStale(_ path: String) -> Bool {
    let socket = SystemCalls.makeSocket()
    guard socket >= 0 else { return false }
    defer { close(socket) }
    SystemCalls.setNonblocking(socket)
    return SystemCalls.withAddress(path) { connect(socket, $0, $1) } != 0 && errno == ECONNREFUSED
  }

  /// Creates a listening socket named after this process.
  ///
  /// - Returns: the socket and its path.
  func listen() throws(InspectorError) -> (socket: Int32, path: String) {
    try prepare()
    _ = try sockets()
    let process = ProcessInfo.processInfo
    let name = process.processName.unicodeScalars.prefix(40).map { $0.isPlain ? String($0) : "_" }.joined()
    let base = "\(path)/\(name)-\(process.processIdentifier)"
    // Uses a temporary name until it listens. Otherwise another process might remove it as stale.
    let preliminary = "\(base).\(UInt32.random(in: .min ... .max)).new"
    let socket = SystemCalls.makeSocket()
    do throws(InspectorError) {
      guard socket >= 0 else { throw refusal("can't be created") }
      SystemCalls.setNonblocking(socket)
      guard SystemCalls.withAddress(preliminary, { bind(socket, $0, $1) }) == 0 else {
        throw refusal("can't be created in \(path)")
      }
      defer { unlink(preliminary) }
      guard chmod(preliminary, 0o600) == 0, Foundation.listen(socket, 128) == 0 else {
        throw refusal("can't be listened on")
      }
      // Further inspectors of a process are numbered.
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
    return InspectorError(.socket, "The socket \(problem): its path is too long for a socket address. \(advice)")
  }
}

extension String {
  /// The path without trailing slashes.
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
