// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// What a server tells a client about a call that a directory has not answered, whatever its protocol.
///
/// ```swift
/// let refusal = CallRefusal(DirectoryEnded())
/// print(refusal?.type ?? "internal", refusal?.retryAfter ?? 0)
/// ```
public struct CallRefusal: Hashable, Sendable {
  /// What programs can compare, such as `busy`.
  public let type: String
  /// What to do, as a sentence for people. It has no value of the program's state.
  public let detail: String
  /// Seconds after which a repeat may succeed; nil if the server has to be repaired, or the store can't hold the ID.
  public let retryAfter: Int?
  /// Why, for the log of the server: without values of the program's state or of a request.
  public let cause: String

  /// Describes an error of a call.
  ///
  /// - Returns: nil for an error that no directory throws, such as one of the program.
  public init?(_ error: any Error) {
    switch error {
    case _ where error.storeError?.isPermanent == true:
      self.init("invalid-id", "This ID can't be stored.", error, retryAfter: nil)
    case is TreeElsewhere: self.init("moving", "It is moving between servers. Repeat the request.", error)
    case is DirectoryFull:
      self.init("full", "Too many others are active. Repeat the request later.", error, retryAfter: 5)
    case is TreeBusy: self.init("busy", "Too many requests wait for it. Repeat the request later.", error)
    case is DirectoryEnded: self.init("stopping", "The server is stopping. Repeat the request.", error)
    case FollowerRefusal.ended: self.init("stopping", "The server is stopping.", error)
    case is LaterSchema: self.init("later-version", "Another server has a later version. Repeat.", error)
    case is TreeQuarantined:
      self.init("quarantined", "The data can't be used until it is repaired.", error, retryAfter: nil)
    // The type of a request that a server itself has not answered in time.
    case let error as TreeUnanswered:
      self.init(
        "timed-out",
        error.hasBegun
          ? "The request was not answered in time, and may have been carried out. Repeat it with the same Idempotency-Key."
          : "The request was not answered in time, and was not carried out. Repeat it.", error)
    case is SavedTree.RestoreError:
      self.init("unreadable", "The data can't be used until it is repaired.", error, retryAfter: nil)
    case is StoreFailure: self.init("store", "The store does not answer. Repeat the request.", error)
    // The tree may have ended during the call.
    case is SaveAbandoned, is CancellationError, is TreeEnded, is TreeFailure:
      self.init(
        "unknown-outcome",
        "The request may have been carried out. Repeat it with the same Idempotency-Key.", error)
    default: return nil
    }
  }

  private init(_ type: String, _ detail: String, _ error: any Error, retryAfter: Int? = 1) {
    (self.type, self.detail, self.retryAfter) = (type, detail, retryAfter)
    cause =
      switch error {
      case let error as StoreFailure where error.storeError?.isPermanent == true: "\(Swift.type(of: error.reason))"
      case let error as TreeFailure: "\(error.path) failed: \(Swift.type(of: error.error))"
      case let error as TreeUnanswered: "TreeUnanswered: \(error.reason)"
      case is StoreFailure, is TreeEnded, is DirectoryFull, is DirectoryEnded: "\(error)"
      default: "\(Swift.type(of: error))"
      }
  }
}
