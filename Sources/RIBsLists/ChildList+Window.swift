// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// How near a child of a `ChildList` is to the list's window, the range of visible positions.
public enum Nearness: UInt8, Comparable, Sendable, CaseIterable {
  /// Far away: the child should hold nothing expensive.
  case none
  /// Approaching: the child should fetch what takes long.
  case preload
  /// Near: the child should have everything ready.
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

/// The visible range of a list, and its direction of movement.
///
/// The distances are measured in windows. More is prepared ahead than behind: one window ahead and half of one behind
/// are ready, two and a half ahead and one and a half behind are preloaded. These ranges are those of Texture
/// (github.com/TextureGroup/Texture, ASAbstractLayoutController), which were tuned for scrolling.
struct ListWindow {
  var range: Range<Int>
  var heading: ListEnd

  /// The positions of a list that have at least this nearness.
  func positions(_ nearness: Nearness, count: Int) -> Range<Int> {
    let lower = min(max(range.lowerBound, 0), count)
    let upper = min(max(range.upperBound, 0), count)
    guard !range.isEmpty else { return lower..<lower }
    // Distances greater than the length of the list are equivalent.
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
  /// Sets the visible range of the list, so that the children can prepare for it, and distant ones load nothing.
  ///
  /// The list calls `nearnessDidChange(to:from:)` of each child once for each change of its nearness, in the order of
  /// the new nearness, the nearest first. The window keeps its positions when the list is updated. If this is called in
  /// a callback of a child, or during an update, the window changes at once and the children are notified later.
  ///
  /// - Parameters:
  ///   - window: the visible positions, which may lie outside the list. Nothing is near an empty window.
  ///   - heading: the direction in which the window moves. More is prepared there.
  /// - Complexity: linear in the size of the window, before and after.
  public func setWindow(_ window: Range<Int>, towards heading: ListEnd) {
    discardLost()
    self.window = ListWindow(range: window, heading: heading)
    needsNearness = true
    if !isUpdating { notifyNearness() }
  }

  /// Notifies the children of their nearness, until no callback changes it further.
  func notifyNearness() {
    needsNearness = true
    guard !isNotifyingNearness else { return }
    isNotifyingNearness = true
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
    isNotifyingNearness = false
  }

  /// Computes the nearness of the children.
  ///
  /// - Returns: the children whose nearness has changed.
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
    // A child that has moved away stays in `near` until it was notified.
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
