// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Runs a closure, and returns the misuse outside any tree reported meanwhile. Use it to test a router, an interactor
/// or a worker without a tree.
///
/// ```swift
/// #expect(recordMisuses { router.detachChild(stranger) }.map(\.kind) == [.notAChild])
/// ```
///
/// Misuse in a `TestTree` is recorded in its transcript and returned by `takeMisuses()`.
///
/// - Parameter body: the code under test.
/// - Returns: the misuse, in order.
public func recordMisuses(_ body: () throws -> Void) rethrows -> [Misuse] {
  let reports = Reports<Misuse>()
  try withMisuseHandler({ reports.add($0) }, body)
  return reports.take()
}
