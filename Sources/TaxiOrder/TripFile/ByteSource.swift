/// A source of a file's bytes.
protocol ByteSource {
  /// The available bytes; empty at the end.
  func read() throws -> [UInt8]
}
