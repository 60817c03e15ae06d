// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The difference between two lists: deletions, insertions, moves and updates.
///
/// Elements are identified by their `id`, and compared by equality:
///
/// ```swift
/// let difference = try ListDifference(from: [Ride(id: 1), Ride(id: 2)], to: [Ride(id: 2), Ride(id: 3)])
/// print(difference.deletes, difference.inserts)
/// ```
///
/// To apply it, remove the deleted and the moved elements, then insert the new and the moved ones at their new
/// positions, in ascending order; `applied(to:inserting:)` does this. The number of moves is minimal.
///
/// The algorithm is based on Paul Heckel's table of the identities of both lists (A technique for isolating differences
/// between files, Communications of the ACM 21(4), 1978). The elements that need not move are a longest increasing
/// subsequence, found as by Craige Schensted (Longest increasing and decreasing subsequences, Canadian Journal of
/// Mathematics 13, 1961).
public struct ListDifference: Hashable, Sendable {
  /// The position of one element in the old list and in the new.
  public struct Pair: Hashable, Sendable, CustomStringConvertible {
    /// The position in the old list.
    public let old: Int
    /// The position in the new list.
    public let new: Int

    /// Creates a pair.
    @inlinable
    public init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }

    public var description: String { "\(old) → \(new)" }
  }

  /// The positions in the old list of elements that are not in the new, ascending.
  public let deletes: [Int]
  /// The positions in the new list of elements that are not in the old, ascending.
  public let inserts: [Int]
  /// The elements that have to move, ascending in the new list. Their number is minimal.
  public let moves: [Pair]
  /// The elements of both lists that are not equal, ascending in the new list. They may also be among the moves.
  public let updates: [Pair]

  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - old: a list without repeated identities. They are detected only if they affect the result.
  ///   - new: the list to compare it with.
  /// - Throws: `RepeatedIdentity` if two elements of the new list have the same identity.
  /// - Complexity: linear in the length of both lists, without an allocation per element. If the order of the common
  ///   elements differs, additionally O(m log m), where m is the number of elements between the first and the last
  ///   difference.
  @inlinable
  public init<Element: Identifiable & Equatable>(
    from old: [Element], to new: [Element]
  ) throws(RepeatedIdentity) {
    let comparison = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        var comparison = ListComparison(old: old, new: new)
        comparison.compare()
        return comparison.outcome
      }
    }
    if let repeated = comparison.repeated { throw repeated }
    deletes = comparison.deletes
    inserts = comparison.inserts
    moves = comparison.moves
    updates = comparison.updates
  }

  /// Whether the lists are equal.
  @inlinable public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty }

  /// Whether no element was deleted, inserted or moved.
  @inlinable public var keepsOrder: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty }

  /// Applies the difference to a list, which may have other elements than the old list.
  ///
  /// Elements that are in both lists are taken from the given list, even if they have changed.
  ///
  /// - Parameters:
  ///   - list: has as many elements as the old list.
  ///   - insert: returns the element to insert at a position of the new list. Called in ascending order.
  /// - Complexity: linear in the length of both lists.
  @inlinable
  public func applied<Element>(to list: [Element], inserting insert: (Int) -> Element) -> [Element] {
    if keepsOrder { return list }
    var isTaken = [Bool](repeating: false, count: list.count)
    for index in deletes { isTaken[index] = true }
    for move in moves { isTaken[move.old] = true }
    var result: [Element] = []
    let count = list.count - deletes.count + inserts.count
    result.reserveCapacity(count)
    var (nextInsert, nextMove, next) = (0, 0, 0)
    for position in 0..<count {
      if nextInsert < inserts.count, inserts[nextInsert] == position {
        result.append(insert(position))
        nextInsert += 1
      } else if nextMove < moves.count, moves[nextMove].new == position {
        result.append(list[moves[nextMove].old])
        nextMove += 1
      } else {
        while isTaken[next] { next += 1 }
        result.append(list[next])
        next += 1
      }
    }
    return result
  }
}

/// Two elements of a list have the same identity.
public struct RepeatedIdentity: Error, Hashable, Sendable, CustomStringConvertible {
  /// The identity as text.
  public let identity: String
  /// The position of one of the elements.
  public let first: Int
  /// The position of the second element.
  public let second: Int

  @usableFromInline
  init(_ identity: String, _ one: Int, _ other: Int) {
    self.identity = identity
    first = min(one, other)
    second = max(one, other)
  }

  public var description: String {
    "The list has the identity \(identity) twice, at \(first) and at \(second). "
      + "Remove one of them, or give each element its own identity."
  }
}
