// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The names of a RIB: of its router and its interactor together.
struct RecordNames {
  let name: SavedTree.Name
  let former: [String]
  let removed: [String]

  /// Whether the RIB takes records of a name.
  func match(_ saved: String) -> Bool { saved == name.text || former.contains(saved) }
}

extension RouterNode {
  /// The name with which this RIB is saved.
  final var recordName: SavedTree.Name {
    let name = type(of: self).savedNames.name ?? interactorCore.flatMap { type(of: $0).savedNames.name }
    return name.map { .text($0) } ?? .type(namingType)
  }

  /// The names of this RIB in saved trees, with a name.
  final var recordNames: RecordNames {
    let own = type(of: self).savedNames
    let other = interactorCore.map { type(of: $0).savedNames } ?? SavedNames()
    return RecordNames(name: recordName, former: own.former + other.former, removed: own.removed + other.removed)
  }
}
