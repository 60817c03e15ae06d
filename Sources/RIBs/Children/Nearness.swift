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
