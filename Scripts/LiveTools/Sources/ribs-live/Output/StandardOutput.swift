// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes to standard output without buffering.
enum StandardOutput {
  static func write(_ text: String) throws(Failure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw .output("standard output can't be written: \(error.systemReason)")
    }
  }
}

extension Error {
  /// What the system says. Foundation's own text says of a missing folder that the file doesn't exist.
  var systemReason: String {
    let error = self as NSError
    let underlying = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    guard underlying.domain == NSPOSIXErrorDomain else { return localizedDescription }
    return String(cString: strerror(Int32(underlying.code)))
  }
}
