extension Duration {
  /// Minutes and seconds, preceded by hours if any: `4:05`, `1:12:00`.
  package var clockText: String {
    let seconds = components.seconds
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = Duration.twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(Duration.twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
