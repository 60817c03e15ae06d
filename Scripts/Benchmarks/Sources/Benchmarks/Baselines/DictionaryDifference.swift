// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsLists

/// A list difference with a dictionary and arrays, the baseline for `ListDifference`.
struct DictionaryDifference {
  private(set) var deletes: [Int] = []
  private(set) var inserts: [Int] = []
  private(set) var moves: [ListDifference.Pair] = []
  private(set) var updates: [ListDifference.Pair] = []

  init<Element: Identifiable & Equatable>(from old: [Element], to new: [Element]) throws {
    var places: [Element.ID: Int] = [:]
    places.reserveCapacity(old.count)
    for (index, element) in old.enumerated() { places[element.id] = index }
    var isKept = [Bool](repeating: false, count: old.count)
    var inserted: Set<Element.ID> = []
    var kept: [ListDifference.Pair] = []
    for (index, element) in new.enumerated() {
      if let place = places[element.id] {
        if isKept[place] { throw Repeated() }
        isKept[place] = true
        kept.append(.init(old: place, new: index))
        if old[place] != element { updates.append(.init(old: place, new: index)) }
      } else {
        if !inserted.insert(element.id).inserted { throw Repeated() }
        inserts.append(index)
      }
    }
    for index in old.indices where !isKept[index] { deletes.append(index) }
    let isStable = longestRun(kept)
    for index in kept.indices where !isStable[index] { moves.append(kept[index]) }
  }

  private struct Repeated: Error {}

  private func longestRun(_ kept: [ListDifference.Pair]) -> [Bool] {
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: kept.count)
    for index in kept.indices {
      var (low, high) = (0, ends.count)
      if let last = ends.last, kept[last].old < kept[index].old { low = high }
      while low < high {
        let middle = (low + high) / 2
        if kept[ends[middle]].old < kept[index].old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var isStable = [Bool](repeating: false, count: kept.count)
    var last = ends.last ?? -1
    while last >= 0 {
      isStable[last] = true
      last = previous[last]
    }
    return isStable
  }
}
