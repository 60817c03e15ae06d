// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists

/// Loads pages of numbers, and does with each batch what a test says.
final class PagedInteractor: Interactor {
  enum Plan: CaseIterable {
    /// Keeps the batch, to be settled by the test.
    case hold
    case completeWithItems
    case completeWithoutItems
    case completeAsLast
    case fail
    case cancel
    case forget
    /// Discards the page request, and continues.
    case forgetAndWait
    case throwError
    case throwCancellation
  }

  var plan = Plan.hold
  var pageSize = 5
  let leading: Double
  /// The batch that is held.
  var held: PageRequest<Int>?
  /// The numbers and offsets of the pages that were asked for.
  private(set) var asked: [String] = []
  private(set) var errors: [String] = []

  init(leading: Double = 2) { self.leading = leading }

  var pager: Pager<Int> {
    scoped { Pager(of: self, leading: self.leading) { batch in try await self.load(batch) } }
  }

  private nonisolated(nonsending) func load(_ batch: consuming PageRequest<Int>) async throws {
    asked.append("\(batch.number) at \(batch.offset)")
    switch plan {
    case .hold: held = consume batch
    case .completeWithItems: batch.complete(page(at: batch.offset), isLast: false)
    case .completeWithoutItems: batch.complete([], isLast: false)
    case .completeAsLast: batch.complete(page(at: batch.offset), isLast: true)
    case .fail: batch.fail(Failure())
    case .cancel: batch.cancel()
    case .forget: break
    case .forgetAndWait:
      drop(batch)
      await waitForCancellation()
    case .throwError: throw Failure()
    case .throwCancellation: throw CancellationError()
    }
  }

  private nonisolated(nonsending) func waitForCancellation() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
  }

  private func drop(_ batch: consuming PageRequest<Int>) { _ = consume batch }

  func page(at offset: Int) -> [Int] { Array(offset..<offset + pageSize) }

  /// Completes the batch that is held.
  ///
  /// - Returns: whether it was waited for; nil if none is held.
  @discardableResult
  func completeHeld(isLast: Bool = false) -> Bool? {
    guard let batch = held.take() else { return nil }
    let page = page(at: batch.offset)
    return batch.complete(page, isLast: isLast)
  }

  override func didFail(_ error: any Error, of work: BoundWork) { errors.append("\(error)") }
}

extension LoadState<[Int], any Error> {
  /// What a test compares.
  var text: String {
    switch self {
    case .idle: "idle"
    case .loading(let previous): "loading after \(previous?.count ?? 0)"
    case .loaded(let items): "loaded \(items.count)"
    case .failed(let error, let previous): "failed \(type(of: error)) after \(previous?.count ?? 0)"
    }
  }
}
