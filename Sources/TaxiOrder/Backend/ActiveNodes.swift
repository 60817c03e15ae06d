internal import RIBs
internal import Synchronization

/// The RIBs of one tree that are active, by their ids: written by the tree, and read from anywhere without a lock.
///
/// Ids count up from 1, so a bit for each is enough. A page holds 64 of them, and there are as many pages as are needed.
final class ActiveNodes: Sendable {
  private let bits = Atomic<UInt64>(0)
  private let nextPage = AtomicLazyReference<ActiveNodes>()

  func insert(_ id: NodeID) { page(of: id).bits.bitwiseOr(id.bit, ordering: .releasing) }

  func remove(_ id: NodeID) { page(of: id).bits.bitwiseAnd(~id.bit, ordering: .releasing) }

  func contains(_ id: NodeID) -> Bool {
    var page: ActiveNodes? = self
    for _ in 0..<id.page {
      guard let next = page?.nextPage.load() else { return false }
      page = next
    }
    return page.map { $0.bits.load(ordering: .acquiring) & id.bit != 0 } ?? false
  }

  private func page(of id: NodeID) -> ActiveNodes {
    var page = self
    for _ in 0..<id.page { page = page.nextPage.load() ?? page.nextPage.storeIfNil(ActiveNodes()) }
    return page
  }
}

extension NodeID {
  fileprivate var page: UInt64 { rawValue / 64 }
  fileprivate var bit: UInt64 { 1 << (rawValue % 64) }
}
