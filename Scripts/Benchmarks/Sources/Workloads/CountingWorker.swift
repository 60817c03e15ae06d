// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A worker that counts how often it began to run.
package final class CountingWorker: Worker {
  package private(set) var starts = 0

  package override init() {}

  package override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    starts += 1
  }
}
