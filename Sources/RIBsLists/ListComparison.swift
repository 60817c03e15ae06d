// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Compares two lists.
@usableFromInline
struct ListComparison<Element: Identifiable & Equatable> {
  @usableFromInline
  struct Outcome {
    @usableFromInline var deletes: [Int] = []
    @usableFromInline var inserts: [Int] = []
    @usableFromInline var moves: [ListDifference.Pair] = []
    @usableFromInline var updates: [ListDifference.Pair] = []
    @usableFromInline var repeated: RepeatedIdentity?

    @inlinable
    init() {}
  }

  @usableFromInline let old: UnsafeBufferPointer<Element>
  @usableFromInline let new: UnsafeBufferPointer<Element>
  @usableFromInline var outcome = Outcome()
  // The lists have the same identities before `start` and after the ends. The part between is the middle.
  @usableFromInline var start = 0
  @usableFromInline var oldEnd: Int
  @usableFromInline var newEnd: Int

  @inlinable
  init(old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>) {
    self.old = old
    self.new = new
    oldEnd = old.count
    newEnd = new.count
  }

  @inlinable
  mutating func compare() {
    while start < oldEnd, start < newEnd, old[start].id == new[start].id {
      notice(start, start)
      start += 1
    }
    while oldEnd > start, newEnd > start, old[oldEnd - 1].id == new[newEnd - 1].id {
      oldEnd -= 1
      newEnd -= 1
    }
    if newEnd == start {
      outcome.deletes = Array(start..<oldEnd)
    } else {
      compareMiddle()
    }
    guard outcome.repeated == nil else { return }
    for position in newEnd..<new.count { notice(oldEnd + position - newEnd, position) }
  }

  /// Compares two elements of the same identity.
  @inlinable
  @inline(__always)
  mutating func notice(_ oldPosition: Int, _ newPosition: Int) {
    if old[oldPosition] != new[newPosition] { outcome.updates.append(.init(old: oldPosition, new: newPosition)) }
  }

  @inlinable
  mutating func compareMiddle() {
    let (oldCount, newCount) = (oldEnd - start, newEnd - start)
    let all = oldCount + newCount
    // The table is at most two fifths full, even if all elements differ.
    let capacity = 2 << (Int.bitWidth - (all + all / 4).leadingZeroBitCount)
    withUnsafeTemporaryAllocation(byteCount: (capacity + all) * 4, alignment: 4) { memory in
      // The allocation is not empty.
      guard let base = memory.baseAddress else { return }
      let slots = base.bindMemory(to: UInt32.self, capacity: capacity)
      slots.initialize(repeating: 0, count: capacity)
      let links = (slots + capacity).withMemoryRebound(to: Int32.self, capacity: all) { $0 }
      let isMatched = links
      isMatched.initialize(repeating: 0, count: oldCount)
      match(IdentityTable(slots: slots, mask: capacity - 1), isMatched, sources: links + oldCount)
    }
  }

  /// Matches the elements of the new middle with those of the old one, and computes the differences.
  ///
  /// - Parameters:
  ///   - isMatched: for each element of the old middle, whether it is in the new one. Initially zero.
  ///   - sources: for each element of the new middle, its position in the old one, or -1.
  @inlinable
  mutating func match(
    _ table: IdentityTable<Element.ID>, _ isMatched: UnsafeMutablePointer<Int32>,
    sources: UnsafeMutablePointer<Int32>
  ) {
    let (oldCount, newCount, start) = (oldEnd - start, newEnd - start, start)
    let oldMiddle = UnsafeBufferPointer(rebasing: old[start..<oldEnd])
    let newMiddle = UnsafeBufferPointer(rebasing: new[start..<newEnd])
    for index in 0..<oldCount {
      let found = table.find(oldMiddle[index].id, orAdd: index) { oldMiddle[$0].id }
      guard found < 0 else { return refuse(oldMiddle[index].id, found + start, index + start) }
    }
    var matchedCount = 0
    var insertCount = 0
    var latest: Int32 = -1
    var isOrdered = true
    for index in 0..<newCount {
      let id = newMiddle[index].id
      let found = table.find(id, orAdd: oldCount + index) {
        $0 < oldCount ? oldMiddle[$0].id : newMiddle[$0 - oldCount].id
      }
      if found < 0 {
        sources[index] = -1
        insertCount += 1
      } else if found < oldCount, isMatched[found] == 0 {
        let source = Int32(truncatingIfNeeded: found)
        sources[index] = source
        isMatched[found] = Int32(truncatingIfNeeded: index + 1)
        matchedCount += 1
        isOrdered = isOrdered && source > latest
        latest = source
        notice(found + start, index + start)
      } else {
        return refuse(id, (found < oldCount ? Int(isMatched[found]) - 1 : found - oldCount) + start, index + start)
      }
    }
    if insertCount > 0 {
      if let (one, other) = insertedTwice(table, insertCount, sources) { return refuse(new[one].id, one, other) }
      outcome.inserts = positions(insertCount, among: newCount) { sources[$0] < 0 }
    }
    if matchedCount < oldCount {
      outcome.deletes = positions(oldCount - matchedCount, among: oldCount) { isMatched[$0] == 0 }
    }
    guard !isOrdered else { return }
    // The table is no longer needed, and has room for five numbers for each matched element.
    outcome.moves = table.slots.withMemoryRebound(to: Int32.self, capacity: 5 * matchedCount) { memory in
      fewestMoves(sources, count: newCount, matched: matchedCount, from: start, memory)
    }
  }

  /// The positions in the list of those elements of a middle that satisfy a condition. Branchless: the condition is
  /// unpredictable.
  ///
  /// - Parameters:
  ///   - count: the number of elements that satisfy the condition.
  ///   - all: the number of elements in the middle.
  @inlinable
  @inline(__always)
  func positions(_ count: Int, among all: Int, where condition: (Int) -> Bool) -> [Int] {
    // The positions of other elements are overwritten, the last of them past the end.
    var positions = [Int](repeating: 0, count: count + 1)
    var found = 0
    for index in 0..<all {
      positions[found] = index + start
      found += condition(index) ? 1 : 0
    }
    positions.removeLast()
    return positions
  }

  /// Finds an inserted element of the new middle whose identity also occurs outside the middle.
  @inlinable
  func insertedTwice(
    _ table: IdentityTable<Element.ID>, _ insertCount: Int, _ sources: UnsafeMutablePointer<Int32>
  ) -> (Int, Int)? {
    let oldCount = oldEnd - start
    if insertCount <= 4 {
      for index in start..<newEnd where sources[index - start] < 0 {
        let id = new[index].id
        for other in 0..<start where new[other].id == id { return (other, index) }
        for other in newEnd..<new.count where new[other].id == id { return (index, other) }
      }
      return nil
    }
    func position(_ other: Int) -> Int? {
      let found = table.find(new[other].id, orAdd: nil) {
        $0 < oldCount ? old[start + $0].id : new[start + $0 - oldCount].id
      }
      return found < oldCount ? nil : found - oldCount + start
    }
    for other in 0..<start { if let index = position(other) { return (other, index) } }
    for other in newEnd..<new.count { if let index = position(other) { return (index, other) } }
    return nil
  }

  @inlinable
  mutating func refuse(_ id: Element.ID, _ one: Int, _ other: Int) {
    outcome.repeated = RepeatedIdentity(String(describing: id), one, other)
  }
}

/// The elements that have to move, ascending in the new list: all except a longest increasing subsequence.
///
/// - Parameters:
///   - sources: for each element of the new list, its position in the old one, or -1.
///   - matched: the number of elements in both lists.
///   - start: the offset to add to the positions.
///   - memory: room for five numbers for each matched element.
@usableFromInline
func fewestMoves(
  _ sources: UnsafeMutablePointer<Int32>, count: Int, matched: Int, from start: Int,
  _ memory: UnsafeMutablePointer<Int32>
) -> [ListDifference.Pair] {
  // The old and new positions of the matched elements. Unmatched elements are written past the end and overwritten.
  let olds = memory
  let news = memory + 2 * matched
  // For the sequences of each length, the one that ends lowest in the old list: the position and the index of its last
  // element.
  let lowest = memory + matched
  let ends = memory + 3 * matched
  // For each element, its predecessor in its sequence.
  let previous = memory + 4 * matched
  var filled = 0
  for position in 0..<count {
    olds[filled] = sources[position]
    news[filled] = Int32(truncatingIfNeeded: position)
    filled += sources[position] >= 0 ? 1 : 0
  }
  var length = 0
  var highest: Int32 = -1
  var recent = 0
  for index in 0..<matched {
    let source = olds[index]
    let place: Int
    if source > highest {
      place = length
      length += 1
    } else if source < lowest[recent] {
      place = firstAbove(source, lowest, from: 0, to: recent)
    } else if source < lowest[recent + 1] {
      place = recent + 1
    } else {
      place = firstAbove(source, lowest, from: recent + 2, to: length)
    }
    lowest[place] = source
    ends[place] = Int32(truncatingIfNeeded: index)
    previous[index] = place > 0 ? ends[place - 1] : -1
    highest = lowest[length - 1]
    recent = place
  }
  var last = ends[length - 1]
  while last >= 0 {
    let before = previous[Int(last)]
    previous[Int(last)] = .min
    last = before
  }
  // As in `positions(_:among:where:)`.
  var moves = [ListDifference.Pair](repeating: .init(old: 0, new: 0), count: matched - length + 1)
  var found = 0
  for index in 0..<matched {
    moves[found] = .init(old: Int(olds[index]) + start, new: Int(news[index]) + start)
    found += previous[index] != .min ? 1 : 0
  }
  moves.removeLast()
  return moves
}

/// The index of the first of some ascending values that is greater than a value.
@inline(__always)
private func firstAbove(_ value: Int32, _ values: UnsafeMutablePointer<Int32>, from: Int, to end: Int) -> Int {
  var low = from
  var count = end - from
  while count > 0 {
    let half = count >> 1
    let isBelow = values[low + half] < value
    low = isBelow ? low + half + 1 : low
    count = isBelow ? count - half - 1 : half
  }
  return low
}

/// A hash table with open addressing that finds elements by their identity.
///
/// Each slot is zero, or holds the number of an element plus one in the bits of the mask, and bits of its hash in the
/// other bits. Identities are compared only if the hash bits are equal.
@usableFromInline
struct IdentityTable<ID: Hashable> {
  @usableFromInline let slots: UnsafeMutablePointer<UInt32>
  @usableFromInline let mask: UInt32
  @usableFromInline let seed: UInt64
  @usableFromInline let factor: UInt64

  /// - Parameters:
  ///   - slots: zero-initialized; more than there will be elements.
  ///   - mask: the number of slots, a power of two, minus one.
  @inlinable
  init(slots: UnsafeMutablePointer<UInt32>, mask: Int) {
    self.slots = slots
    self.mask = UInt32(truncatingIfNeeded: mask)
    // Secret outside the process, so that identities can't be chosen to collide.
    seed = UInt64(truncatingIfNeeded: 0.hashValue)
    factor = UInt64(truncatingIfNeeded: 1.hashValue) | 1
  }

  /// Finds an element, or adds it.
  ///
  /// - Parameters:
  ///   - id: the identity to find.
  ///   - number: the element to add if there is none.
  ///   - identity: returns the identity of an element that was added.
  /// - Returns: the number of the element found, or -1.
  @inlinable
  @inline(__always)
  func find(_ id: ID, orAdd number: Int?, _ identity: (Int) -> ID) -> Int {
    let hash = hash(id)
    let tag = UInt32(truncatingIfNeeded: hash >> 32) & ~mask
    var slot = UInt32(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 {
        if let number { slots[Int(slot)] = tag | UInt32(truncatingIfNeeded: number + 1) }
        return -1
      }
      if entry & ~mask == tag {
        let found = Int(truncatingIfNeeded: entry & mask) - 1
        if identity(found) == id { return found }
      }
      slot = (slot &+ 1) & mask
    }
  }

  /// Integers are hashed by a multiplication whose halves are folded. This is several times as fast as the standard
  /// library's hash, and sufficient with a secret factor.
  @inlinable
  @inline(__always)
  func hash(_ id: ID) -> UInt64 {
    if ID.self == Int.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self))) }
    if ID.self == UInt.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: UInt.self))) }
    if ID.self == Int64.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int64.self))) }
    if ID.self == UInt64.self { return fold(unsafeBitCast(id, to: UInt64.self)) }
    if ID.self == Int32.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int32.self))) }
    if ID.self == UInt32.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: UInt32.self))) }
    return UInt64(truncatingIfNeeded: id.hashValue)
  }

  @inlinable
  @inline(__always)
  func fold(_ value: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
