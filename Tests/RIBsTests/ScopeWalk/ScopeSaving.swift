// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Takes a while to save a tree, and fails now and then.
struct ScopeSaving: TreeSaving {
  let ledger: ScopeLedger

  func save(_ saved: SavedTree) async throws {
    await ledger.leave()
    let number = ledger.nextNumber()
    ledger.trace("save \(saved.count) RIBs")
    if number.isMultiple(of: 5) { throw ScopeLedger.Injected(number: number) }
  }
}
