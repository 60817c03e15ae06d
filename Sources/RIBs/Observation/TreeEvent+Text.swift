// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeEvent: CustomStringConvertible {
  /// The event as one line: the time in seconds, the path, the kind, and then any details: the worker or the work, the
  /// duration, the error, the misuse or the leak.
  ///
  /// `12.345 Root/LoggedIn/Order taskFailed reload (OrderInteractor.swift:31) after 0.250s: timedOut`
  ///
  /// Control characters in the program's own texts are escaped, so an event is always one line.
  public var description: String {
    var line = "\(time.inSeconds) \(path) \(kind)"
    if let worker { line += " \(worker)" }
    if let work { line += " \(work)" }
    if let wakes { line += " until \(wakes)" }
    if isCancelled { line += " cancelled" }
    if let duration { line += " after \(duration.inSeconds)s" }
    if let restarts { line += " \(restarts)" }
    if isRestored { line += " with its saved state" }
    if let failure { line += ": \(failure)" }
    if let misuse { line += " \(misuse.kind): \(misuse.message)" }
    if let leak { line += " \(leak.type)" }
    if !untaken.isEmpty { line += " without \(untaken.joined(separator: ", "))" }
    return line.onOneLine
  }
}

extension Duration {
  /// The time in seconds, to the millisecond.
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = abs(attoseconds) / 1_000_000_000_000_000
    let sign = self < .zero && seconds == 0 ? "-" : ""
    return "\(sign)\(seconds).\(padded(milliseconds, 3))"
  }
}
