public import RIBs

/// Runs a closure, and returns the misuse outside any tree that was reported meanwhile: for tests that use a router, an
/// interactor or a worker by hand.
///
/// ```swift
/// #expect(recordMisuses { router.detachChild(stranger) }.map(\.kind) == [.notAChild])
/// ```
///
/// Misuse in a `TestTree` stands in its transcript; `takeMisuses()` hands it over.
///
/// - Parameter body: what is to be refused.
/// - Returns: what was reported, in order.
public func recordMisuses(_ body: () throws -> Void) rethrows -> [Misuse] {
  let reports = Reports<Misuse>()
  try withMisuseHandler({ reports.add($0) }, body)
  return reports.take()
}
