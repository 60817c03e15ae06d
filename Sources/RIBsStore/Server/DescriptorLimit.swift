// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The limit of the file descriptors of this process. Each connection needs one, and each file that is open.
public enum DescriptorLimit {
  /// Raises the limit as far as the system allows. Shells set a lower one, often 1,024, for programs that can't use more.
  ///
  /// - Returns: the limit.
  @discardableResult
  public static func raise() -> Int {
    #if os(Linux)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return .max }
    limits.rlim_cur = limits.rlim_max
    if setrlimit(files, &limits) != 0 { getrlimit(files, &limits) }
    return Int(clamping: limits.rlim_cur)
  }
}
