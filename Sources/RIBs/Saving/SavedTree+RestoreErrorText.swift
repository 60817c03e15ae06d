// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension SavedTree.RestoreError: CustomStringConvertible {
  /// The path and the reason, as a sentence.
  public var description: String { path.isEmpty ? reason.text : "\(path): \(reason.text)" }
}

extension SavedTree.RestoreError.Reason {
  fileprivate var text: String {
    switch self {
    case .malformedDocument(let problem):
      "The document is not a saved tree: \(problem). Restore it from a backup, or remove it."
    case .laterFormat(let format):
      "The document has format \(format), and formats up to \(SavedTree.format) are known. Use the later version of this "
        + "library that has written it."
    case .otherRoot(let saved, let built):
      "The saved root is \(saved), and the root of the tree is \(built). If it was renamed, override savedNames in \(built) "
        + "with SavedNames(\"\(saved)\")."
    case .otherChild(let container, let saved, let built):
      "\(saved) is saved in \"\(container)\", and its route or model builds \(built). If \(saved) was renamed, override "
        + "savedNames in \(built) with SavedNames(\"\(saved)\"). If \(saved) no longer exists, add it to the removed names "
        + "of the parent: SavedNames(removed: [\"\(saved)\"])."
    case .laterVersion(let saved, let known):
      "The state was saved with version \(saved), and versions up to \(known) are known. Deploy the later version of the "
        + "program, which has saved it."
    case .migrationFailed(let version, let error):
      "The state of version \(version) can't be converted: \(error). Repair migrate(_:from:)."
    case .unreadableState(let error):
      "The state can't be decoded: \(error). If its form has changed, increase savedVersion and implement migrate(_:from:), or "
        + "make new properties optional."
    case .unreadableChildren(let container, let error):
      "The children of \"\(container)\" can't be restored: \(error). If the form of the routes or models has changed, let them "
        + "decode the former one, too."
    }
  }
}
