// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Ends many trees at the same time.
package func endAll<Root>(_ hosts: [TreeHost<Root>], timeout: Duration? = nil) async {
  await withTaskGroup { group in
    for host in hosts { group.addTask { _ = await host.shutdown(timeout: timeout) } }
  }
}
