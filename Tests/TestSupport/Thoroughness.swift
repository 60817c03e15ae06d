import Foundation

/// How much a test tries of what has no natural end, or too many combinations to try them all each time.
///
/// `RIBS_THOROUGH` in the environment chooses: `share` is for release builds, and every other value is for the whole of it.
package enum Thoroughness {
  case usual, share, whole

  package static let current: Thoroughness =
    switch ProcessInfo.processInfo.environment["RIBS_THOROUGH"] {
    case nil: .usual
    case "share": .share
    default: .whole
    }

  /// Whether every combination is tried of small cases that can be enumerated.
  package static var isExhaustive: Bool { current != .usual }

  /// How many cases are tried.
  package static func count<Count>(usual: Count, share: Count, whole: Count) -> Count {
    switch current {
    case .usual: usual
    case .share: share
    case .whole: whole
    }
  }
}
