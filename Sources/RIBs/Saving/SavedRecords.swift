// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The records of a saved tree, or of a part of one, that is restored, and which of them RIBs have taken.
final class SavedRecords {
  let saved: SavedTree
  /// The records of the children of each RIB.
  private(set) var children: [[Int]]
  private(set) var isTaken: [Bool]
  /// By parent and RIB name: the records that children attached by code have yet to take.
  private var waiting: [Int: [String: FIFO<Int>]] = [:]

  init(_ saved: SavedTree) {
    let records = saved.records
    self.saved = saved
    isTaken = Array(repeating: false, count: records.count)
    children = Array(repeating: [], count: records.count)
    for index in records.indices where records[index].parent >= 0 { children[Int(records[index].parent)].append(index) }
  }

  private var records: [SavedTree.Record] { saved.records }

  var isEmpty: Bool { records.isEmpty }

  subscript(record: Int) -> SavedTree.Record { records[record] }

  /// The records of the children of containers.
  func places(below record: Int) -> [SavedTree.Place: Int] {
    var places: [SavedTree.Place: Int] = [:]
    for child in children[record] {
      if let place = records[child].place, places[place] == nil { places[place] = child }
    }
    return places
  }

  func take(_ record: Int) { isTaken[record] = true }

  /// Takes the first record of a child's names that no other child attached by code has taken.
  func takeFirst(of names: RecordNames, below parent: Int) -> Int? {
    guard !children[parent].isEmpty else { return nil }
    if waiting[parent] == nil {
      var byName: [String: FIFO<Int>] = [:]
      for child in children[parent] where records[child].place == nil && !isTaken[child] {
        byName[records[child].name.text, default: FIFO()].append(child)
      }
      waiting[parent] = byName
    }
    for name in [names.name.text] + names.former {
      if let record = waiting[parent]?[name]?.popFirst() {
        take(record)
        return record
      }
    }
    return nil
  }

  /// Discards the records of children: the program says that these RIBs, or their container, no longer exist.
  func discardChildren(of record: Int, where isRemoved: (SavedTree.Record) -> Bool) {
    for child in children[record] where isRemoved(records[child]) { take(child) }
  }

  /// The children that no RIB has taken.
  func untaken(below record: Int) -> [Int] { children[record].filter { !isTaken[$0] } }

  /// The names from the root to a record, shortened at the root's end if there are many.
  func path(of record: Int) -> String {
    var names: [String] = []
    var next = record
    while next >= 0, names.count < TreePath.limit {
      names.append(records[next].name.text)
      next = Int(records[next].parent)
    }
    return (next >= 0 ? "…/" : "") + names.reversed().joined(separator: "/")
  }
}

extension SavedTree {
  /// What is saved of a RIB that has no state yet.
  static func empty(_ router: RouterNode) -> SavedTree {
    SavedTree(records: [Record(parent: -1, name: router.recordName, place: nil, details: nil)])
  }

  /// Whether nothing is saved but the name of the topmost RIB.
  var isEmpty: Bool { records.count == 1 && records[0].details == nil }

  /// A RIB with all below it, as a tree of its own.
  func part(at root: Int) -> SavedTree {
    var numbers = [Int32](repeating: -1, count: records.count - root)
    numbers[0] = 0
    var part = [
      Record(parent: -1, name: records[root].name, place: records[root].place, details: records[root].details)
    ]
    for index in (root + 1)..<max(records.count, root + 1) {
      let parent = Int(records[index].parent) - root
      guard parent >= 0, numbers[parent] >= 0 else { continue }
      numbers[index - root] = Int32(part.count)
      part.append(records[index].moved(below: numbers[parent]))
    }
    return SavedTree(records: part, coder: coder)
  }
}
