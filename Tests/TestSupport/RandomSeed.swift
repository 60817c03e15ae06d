// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seed of the first random walk of a test: that in `RIBS_SEED`, which repeats a walk, or a new one each time.
package func firstSeed() -> UInt64 {
  ProcessInfo.processInfo.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
}
