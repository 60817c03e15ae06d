internal import RIBs

/// How near a child of a `ChildList` is to the list's window: to what is being looked at.
public enum Nearness: UInt8, Comparable, Sendable, CaseIterable {
  /// Far away: it should hold nothing that costs.
  case none
  /// Coming: it should fetch what takes long.
  case preload
  /// Next: it should have everything ready.
  case ready
  /// In the window.
  case visible

  public static func < (one: Nearness, other: Nearness) -> Bool { one.rawValue < other.rawValue }
}

/// An end of a list.
public enum ListEnd: Hashable, Sendable {
  /// The beginning.
  case head
  /// The end.
  case tail
}

/// The part of a list that is being looked at, and where that is heading.
///
/// The parts that are nearly in the window are measured in windows. More lies ahead than behind: one window is ready ahead
/// and half of one behind, and two and a half ahead and one and a half behind are preloaded. These are the ranges that
/// Texture (github.com/TextureGroup/Texture, ASAbstractLayoutController) has found good for scrolling.
struct ListWindow {
  var range: Range<Int>
  var heading: ListEnd

  /// The positions of a list that are at least this near.
  func positions(_ nearness: Nearness, count: Int) -> Range<Int> {
    let lower = min(max(range.lowerBound, 0), count)
    let upper = min(max(range.upperBound, 0), count)
    guard !range.isEmpty else { return lower..<lower }
    // Farther than the list is long makes no difference.
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    let window = overflow ? count : min(width, count)
    let (ahead, behind) =
      switch nearness {
      case .visible: (0, 0)
      case .ready: (window, (window + 1) / 2)
      case .preload: ((window * 5 + 1) / 2, (window * 3 + 1) / 2)
      case .none: (count, count)
      }
    let (head, tail) = heading == .tail ? (behind, ahead) : (ahead, behind)
    return max(lower - head, 0)..<min(upper + tail, count)
  }
}

extension ChildList {
  /// Says which part of the list is being looked at, so that the children can prepare for it, and distant ones load
  /// nothing: each is told by `nearnessDidChange(to:from:)`, once for each change.
  ///
  /// The window stays at these positions when the list is updated. Those who come nearer are told first, the nearest
  /// first. Called by one of them, or during an update, the window changes at once and the children are told later.
  ///
  /// - Parameters:
  ///   - window: the positions that are being looked at; they may lie outside the list. An empty window is near nothing.
  ///   - heading: where the window is moving, so that more is prepared there.
  /// - Complexity: linear in the size of the window, before and after.
  public func setWindow(_ window: Range<Int>, towards heading: ListEnd) {
    self.window = ListWindow(range: window, heading: heading)
    needsNearness = true
    if !isUpdating { tellNearness() }
  }

  /// Tells the children how near they are, until nothing has changed meanwhile.
  func tellNearness() {
    needsNearness = true
    guard !isTellingNearness else { return }
    isTellingNearness = true
    while needsNearness {
      needsNearness = false
      if window.range.isEmpty, near.isEmpty { break }
      for (place, child) in changesOfNearness() {
        guard entries[Int(place)].child === child, let follower = entries[Int(place)].follower else { continue }
        let previous = entries[Int(place)].nearness
        let nearness = entries[Int(place)].actualNearness
        entries[Int(place)].nearness = nearness
        follower.nearnessDidChange(to: nearness, from: previous)
        if needsNearness { break }
      }
    }
    isTellingNearness = false
  }

  /// Finds out how near the children are.
  ///
  /// - Returns: those to whom it is new.
  private func changesOfNearness() -> [(place: Int32, child: RouterNode)] {
    for place in near { entries[Int(place)].actualNearness = .none }
    let before = near.filter { entries[Int($0)].nearness != .none }
    let preloaded = window.positions(.preload, count: order.count)
    for (nearness, positions) in [
      (Nearness.preload, preloaded), (.ready, window.positions(.ready, count: order.count)),
      (.visible, window.positions(.visible, count: order.count)),
    ] {
      for place in order[positions] { entries[Int(place)].actualNearness = nearness }
    }
    // Whoever goes away is of interest until that has been told.
    near = before.filter { entries[Int($0)].actualNearness == .none } + order[preloaded]
    var changes: [(Nearness, Int32, RouterNode)] = []
    for place in near {
      let entry = entries[Int(place)]
      if let child = entry.child, entry.nearness != entry.actualNearness {
        changes.append((entry.actualNearness, place, child))
      }
    }
    return [Nearness.visible, .ready, .preload, .none].flatMap { nearness in
      changes.lazy.filter { $0.0 == nearness }.map { ($0.1, $0.2) }
    }
  }
}
