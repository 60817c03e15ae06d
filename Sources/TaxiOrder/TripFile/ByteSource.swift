/// Where a file's bytes come from.
protocol ByteSource {
  /// The next bytes, as many as there are at hand; none at the end.
  func read() throws -> [UInt8]
}
