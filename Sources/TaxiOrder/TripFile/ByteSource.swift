/// A source of a file's bytes.
package protocol ByteSource {
  /// The available bytes; empty at the end.
  func read() throws -> [UInt8]
}
