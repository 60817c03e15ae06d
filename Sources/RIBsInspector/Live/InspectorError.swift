/// Why trees can't be shown or looked at.
public struct InspectorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of error it is. More kinds may come, so a `switch` over them needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// The directory of the sockets is not safe, or can't be made.
    public static let directory = Kind(description: "directory")
    /// The socket can't be made.
    public static let socket = Kind(description: "socket")
    /// The process does not answer, or has gone.
    public static let noAnswer = Kind(description: "noAnswer")
    /// The process has refused what it was asked.
    public static let refused = Kind(description: "refused")
    /// The process has answered something that is not understood.
    public static let answer = Kind(description: "answer")
  }

  /// What kind of error it is.
  public let kind: Kind
  /// What happened, and what to do about it.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
