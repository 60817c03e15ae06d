// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Error {
  /// What the system says about an error of Foundation, such as "No such file or directory" of a missing folder.
  ///
  /// Foundation's own text says "The file doesn’t exist" of the file that is to be written. The error of the system is no
  /// `NSError` on Linux.
  var systemReason: String {
    let error = self as NSError
    let underlying = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(underlying.code)))
  }
}
