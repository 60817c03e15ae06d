// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// The duration in its two largest units: `350ms`, `12s`, `4m 12s`, `3h 5m`, `2d 1h`.
  var shortText: String {
    let (seconds, attoseconds) = components
    guard seconds > 0 else {
      return seconds == 0 && attoseconds > 0 ? "\(attoseconds / 1_000_000_000_000_000)ms" : "0s"
    }
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400)
    if days > 0 { return "\(days)d \(hours % 24)h" }
    if hours > 0 { return "\(hours)h \(minutes % 60)m" }
    if minutes > 0 { return "\(minutes)m \(seconds % 60)s" }
    return "\(seconds)s"
  }
}
