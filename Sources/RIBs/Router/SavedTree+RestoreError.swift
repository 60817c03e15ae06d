// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension SavedTree {
  /// Why a tree was not restored. Nothing was changed: no RIB of it is active, and the document is as it was.
  public struct RestoreError: Error, Sendable {
    /// The reason of a refused restore. More reasons may be added, so a `switch` over them needs a `default`.
    public enum Reason: Sendable {
      /// The document is not a saved tree.
      case malformedDocument(String)
      /// The document has a format that this version of the library does not know.
      case laterFormat(Int)
      /// The saved tree has another root than the tree that was built.
      case otherRoot(saved: String, built: String)
      /// The route or model of a container builds another RIB than the saved one.
      case otherChild(container: String, saved: String, built: String)
      /// The state has a version that the interactor does not know: a later version of the program has saved it.
      case laterVersion(saved: Int, known: Int)
      /// The conversion of a state of an earlier version has failed.
      case migrationFailed(version: Int, any Error)
      /// The state can't be decoded.
      case unreadableState(any Error)
      /// The routes or models of a container can't be decoded, or are refused.
      case unreadableChildren(container: String, any Error)
    }

    /// The path of the saved RIB, such as `Root/LoggedIn/Order`; empty if the document as a whole was refused.
    public let path: String
    /// The reason.
    public let reason: Reason

    package init(path: String, reason: Reason) {
      self.path = path
      self.reason = reason
    }
  }
}
