// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Logging

/// The limit of the file descriptors of this process. Each connection needs one.
public enum DescriptorLimit {
  /// Raises the limit as far as the system allows. Shells set a lower one, often 1,024, for programs that can't use more.
  ///
  /// - Parameters:
  ///   - connections: how many the process may have.
  ///   - logger: gets a warning if the system allows fewer.
  public static func raise(for connections: Int, _ logger: Logger) {
    #if os(Linux)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return }
    limits.rlim_cur = limits.rlim_max
    if setrlimit(files, &limits) != 0 { getrlimit(files, &limits) }
    guard connections >= Int(clamping: limits.rlim_cur) else { return }
    logger.warning(
      "--connections is higher than the number of file descriptors. Raise the limit (ulimit -n), or lower --connections.",
      metadata: ["connections": "\(connections)", "descriptors": "\(limits.rlim_cur)"])
  }
}
