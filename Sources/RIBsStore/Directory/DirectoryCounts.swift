// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import Synchronization

/// How many trees and calls a directory has, for gauges of its operation.
public struct DirectoryCounts: Hashable, Sendable {
  /// The trees that are awake.
  public internal(set) var awake = 0
  /// The trees that are being built or restored.
  public internal(set) var opening = 0
  /// The trees that are being saved, ended or removed.
  public internal(set) var closing = 0
  /// The quarantined trees that this process knows.
  public internal(set) var quarantined = 0
  /// The records that wait for the store, or are being written.
  public internal(set) var unsaved = 0
  /// The calls that use a tree or wait for one.
  public internal(set) var calls = 0
  /// The calls that were refused with `TreeBusy` since the directory was created.
  public internal(set) var refusedCalls = 0
}

extension TreeDirectory {
  /// The numbers of trees and calls. Each tree is looked at once, but not all at the same time.
  ///
  /// - Complexity: O(n) in the number of trees. Use it for a scrape of metrics, and not for each call.
  public var counts: DirectoryCounts {
    var counts = DirectoryCounts()
    for (_, entry) in table.entries {
      switch entry {
      case .open(let tree):
        counts.awake += 1
        counts.calls += tree.calls.load(ordering: .relaxed)
      case .opening(let opening):
        counts.opening += 1
        counts.calls += opening.waiters.load(ordering: .relaxed)
      case .closing(let closed, _):
        counts.closing += 1
        counts.calls += closed.waiters.load(ordering: .relaxed)
      case .quarantined: counts.quarantined += 1
      }
    }
    counts.unsaved = storage?.queue.unsaved.load(ordering: .relaxed) ?? 0
    counts.refusedCalls = refusedCalls.load(ordering: .relaxed)
    return counts
  }
}
