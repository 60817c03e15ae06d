// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// A possible violation, confirmed if its type has one of the given roles, or if none is needed.
struct Candidate: Sendable {
  let finding: Finding
  /// The type that contains it.
  let type: [String]
  /// The roles of which the type must have at least one; nil for code anywhere.
  let roles: Set<Role>?
}

/// The findings in a single file.
package struct FileFindings: Sendable {
  let path: String
  let candidates: [Candidate]
  let suppressions: [Suppression]
  /// Whether it creates children from models.
  let usesModels: Bool

  package init(_ file: SourceFile) {
    path = file.path
    candidates = CandidateFinder.candidates(in: file)
    suppressions = Suppression.all(in: file)
    usesModels = ["ChildList", "ModelRouting"].contains { file.text.contains($0) }
  }
}
