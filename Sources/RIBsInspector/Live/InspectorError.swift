// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An error of an inspector or one of its clients.
public struct InspectorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added, so a `switch` over them needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// The socket directory is not safe, or can't be created.
    public static let directory = Kind(description: "directory")
    /// The socket can't be created.
    public static let socket = Kind(description: "socket")
    /// The process does not answer, or has ended.
    public static let noAnswer = Kind(description: "noAnswer")
    /// The process has refused the request.
    public static let refused = Kind(description: "refused")
    /// The answer can't be decoded, or does not match the request.
    public static let answer = Kind(description: "answer")
    /// A recording can't be written or read.
    public static let recording = Kind(description: "recording")
  }

  /// The kind of the error.
  public let kind: Kind
  /// What happened, and what to do about it.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
