internal import RIBs
internal import Synchronization

/// The RIBs of one tree that are active, by their ids: written by the tree, and read from anywhere without a lock.
///
/// Ids count up from 1, so a bit for each is enough. A page holds 64 of them, and there are as many pages as are needed.
final class ActiveNodes: Sendable {
  private let bits = Atomic<UInt64>(0)
  private let nextPage = AtomicLazyReference<ActiveNodes>()

  func insert(_ id: NodeID) { onPage(of: id) { _ = $0.bitwiseOr(id.bit, ordering: .releasing) } }

  func remove(_ id: NodeID) { onPage(of: id) { _ = $0.bitwiseAnd(~id.bit, ordering: .releasing) } }

  func contains(_ id: NodeID) -> Bool {
    var page: ActiveNodes? = self
    for _ in 0..<id.page {
      guard let next = page?.nextPage.load() else { return false }
      page = next
    }
    return page.map { $0.bits.load(ordering: .acquiring) & id.bit != 0 } ?? false
  }

  private func onPage(of id: NodeID, _ change: (borrowing Atomic<UInt64>) -> Void) {
    // Most trees need one page, and nobody else has to hold that.
    if id.page == 0 { return change(bits) }
    var page = self
    for _ in 0..<id.page { page = page.nextPage.load() ?? page.nextPage.storeIfNil(ActiveNodes()) }
    change(page.bits)
  }
}

extension NodeID {
  fileprivate var page: UInt64 { rawValue / 64 }
  fileprivate var bit: UInt64 { 1 << (rawValue % 64) }
}
