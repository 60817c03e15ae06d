/// The best time of each part of some work, of all the times that it was done.
///
/// Work that takes long is disturbed each time on a shared machine, but each time in other parts.
struct Laps {
  private var best: [Double] = []
  private var next = 0
  private var start = ContinuousClock.now

  init() {
    // All of it at once, so that it does not come to lie among what is measured.
    best.reserveCapacity(4_096)
  }

  /// All of the work begins.
  mutating func begin() {
    next = 0
    start = .now
  }

  /// A part has ended, and the next one begins.
  mutating func lap() {
    let taken = (.now - start).nanoseconds
    if next < best.count { best[next] = min(best[next], taken) } else { best.append(taken) }
    next += 1
    start = .now
  }

  /// The sum of the parts, in nanoseconds.
  var total: Double { best.reduce(0, +) }
}
