/// A process that shows its trees.
public struct InspectedProcess: Sendable, Hashable, Identifiable {
  /// The number of the process.
  public let id: Int32
  /// The name of the program.
  public let name: String
  /// Where its inspector answers. A process with several inspectors is listed with each.
  public let socketPath: String

  /// The processes of this user that show trees, by their names. Sockets of processes that have gone are removed.
  ///
  /// - Parameter directory: where the sockets are; nil for the usual directory.
  /// - Throws: an `InspectorError` if the directory is not safe; without one, there are no processes.
  public static func all(in directory: String? = nil) throws(InspectorError) -> [InspectedProcess] {
    try SocketDirectory(directory).sockets().compactMap { InspectedProcess(socketPath: $0) }
  }

  /// Reads the name of a socket: `taxi-4711.sock`, or `taxi-4711.2.sock` for the second inspector of a process.
  ///
  /// - Parameter socketPath: the path of the socket.
  /// - Returns: nil if it is not named like the socket of an inspector.
  public init?(socketPath: String) {
    let file = socketPath.split(separator: "/").last ?? ""
    guard file.hasSuffix(".sock"), let dash = file.lastIndex(of: "-") else { return nil }
    guard let id = Int32(file[file.index(after: dash)...].prefix { $0 != "." }), id > 0 else { return nil }
    self.id = id
    name = String(file[..<dash])
    self.socketPath = socketPath
  }
}
