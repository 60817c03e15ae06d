import SourceModel

/// What would break a rule if the type that it is in is what it seems to be.
struct Candidate: Sendable {
  let finding: Finding
  /// The type it is in.
  let type: [String]
  /// What that has to be; one of these is enough.
  let roles: Set<Role>
}

/// What a file holds for the rules.
package struct FileFindings: Sendable {
  let path: String
  let candidates: [Candidate]
  let suppressions: [Suppression]
  /// Whether children are made from models in it.
  let usesModels: Bool

  package init(_ file: SourceFile) {
    path = file.path
    candidates = CandidateFinder.candidates(in: file)
    suppressions = Suppression.all(in: file)
    usesModels = ["ChildList", "ModelRouting"].contains { file.text.contains($0) }
  }
}
