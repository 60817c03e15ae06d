// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much a test tries of what has no natural end, or too many combinations to try them all each time.
///
/// `RIBS_THOROUGH` in the environment chooses: `little` is for builds that are many times as slow, `share` is for release
/// builds, and every other value is for the whole of it.
package enum Thoroughness {
  case little, usual, share, whole

  package static let current: Thoroughness =
    switch ProcessInfo.processInfo.environment["RIBS_THOROUGH"] {
    case nil: .usual
    case "little": .little
    case "share": .share
    default: .whole
    }

  /// Whether every combination is tried of small cases that can be enumerated.
  package static var isExhaustive: Bool { current == .share || current == .whole }

  /// How many cases are tried.
  ///
  /// - Parameter little: nil for as many as usual.
  package static func count<Count>(little: Count? = nil, usual: Count, share: Count, whole: Count) -> Count {
    switch current {
    case .little: little ?? usual
    case .usual: usual
    case .share: share
    case .whole: whole
    }
  }
}
