// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A process that shows its trees through an inspector.
public struct InspectedProcess: Sendable, Hashable, Identifiable {
  /// The process ID.
  public let id: Int32
  /// The name of the executable.
  public let name: String
  /// The path of its inspector's socket. A process with several inspectors is listed once for each.
  public let socketPath: String

  /// The processes that show trees to this user, sorted by name. Removes the user's sockets of processes that have
  /// ended.
  ///
  /// These are the user's own processes; for root, those of all users with the usual directory.
  ///
  /// - Parameter directory: the directory of the sockets. Defaults to the usual directory.
  /// - Throws: an `InspectorError` if the directory is not safe, or can't be read. A missing directory counts as no
  ///   processes.
  public static func all(in directory: String? = nil) throws(InspectorError) -> [InspectedProcess] {
    var sockets = try SocketDirectory(directory).sockets()
    if directory == nil {
      // A directory that another user has left open or replaced is not root's problem.
      let others = SocketDirectory.ofOtherUsers.flatMap { (try? $0.sockets()) ?? [] }
      sockets += others.filter { !sockets.contains($0) }
    }
    return sockets.compactMap { InspectedProcess(socketPath: $0) }
  }

  /// Parses the file name of a socket: `taxi-4711.sock`, or `taxi-4711.2.sock` for the second inspector of a process.
  ///
  /// - Parameter socketPath: the path of the socket.
  /// - Returns: nil if the file name is not that of an inspector's socket.
  public init?(socketPath: String) {
    let file = socketPath.split(separator: "/").last ?? ""
    guard file.hasSuffix(".sock"), let dash = file.lastIndex(of: "-") else { return nil }
    guard let id = Int32(file[file.index(after: dash)...].prefix { $0 != "." }), id > 0 else { return nil }
    self.id = id
    name = String(file[..<dash])
    self.socketPath = socketPath
  }
}
