// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RIBs
import RIBsStore

/// An order: items, each with the ID of the request that added it, and a payment.
final class OrderInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    enum Payment: Codable, Sendable {
      case open
      /// - Parameter key: chosen before the payment begins, so that a repeated one is recognized.
      case charging(key: String)
      case paid
    }

    var items: [String: Int] = [:]
    var payment = Payment.open
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }
  private let id: String
  private let payments: String

  init(_ id: String, payments: String) {
    self.id = id
    self.payments = payments
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    if case .charging(let key) = savedState.payment { charge(key) }
  }

  func add(_ cents: Int, request: String) -> String {
    if savedState.items[request] == nil { savedState.items[request] = cents }
    return "\(savedState.items.count)"
  }

  func pay() -> String {
    if case .open = savedState.payment {
      let key = "\(id)-\(UInt64.random(in: 0 ... .max))"
      savedState.payment = .charging(key: key)
      charge(key)
    }
    return status
  }

  var status: String {
    switch savedState.payment {
    case .open: "open"
    case .charging: "charging"
    case .paid: "paid"
    }
  }

  private func charge(_ key: String) {
    let cents = savedState.items.values.reduce(0, +)
    let (id, payments) = (id, payments)
    task("charge", overlap: .ignoreWhileRunning) {
      try await self.checkpoint()
      try await retrying(.exponential(from: .milliseconds(2), to: .milliseconds(50)), atMost: 1_000) {
        try await blocking { try Payments.charge(key, of: id, cents, at: payments) }
      }
      self.savedState.payment = .paid
    }
  }
}

/// Runs blocking code off the threads of Swift's tasks.
@concurrent
private func blocking(_ work: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
  }
}

/// Serves orders: a request is `number order request verb cents`, an answer `number text`.
enum OrderServer {
  static func serve(directory: String, payments: String, _ answersAtOnce: Bool) async throws {
    let orders = TreeDirectory(
      "order", in: try FileStore(directory: directory),
      configuration: DirectoryConfiguration(idleAfter: .milliseconds(20), limit: 200, interval: .milliseconds(5)),
      tree: { _ in TreeConfiguration(leakDetection: .off) }
    ) { (id: String) in Router(interactor: OrderInteractor(id, payments: payments)) }
    let running = Task { await orders.run() }
    let requests = AsyncStream<String> { continuation in
      Thread.detachNewThread {
        for line in LineReader(STDIN_FILENO) { continuation.yield(line) }
        continuation.finish()
      }
    }
    writeLine("ready", to: STDOUT_FILENO)
    await withTaskGroup(of: Void.self) { group in
      for await request in requests {
        group.addTask {
          let words = request.split(separator: " ").map(String.init)
          do {
            let answer = try await orders.perform(on: words[1], answering: answersAtOnce ? .atOnce : .whenSaved) {
              root in
              switch words[3] {
              case "add": root.interactor.add(Int(words[4]) ?? 0, request: words[2])
              case "pay": root.interactor.pay()
              default: root.interactor.status
              }
            }
            writeLine("\(words[0]) \(answer)", to: STDOUT_FILENO)
          } catch {
            writeLine("\(words[0]) error", to: STDOUT_FILENO)
          }
        }
      }
    }
    running.cancel()
    let report = await orders.shutdown(timeout: .seconds(10))
    if !report.unsaved.isEmpty { writeLine("\(report)", to: STDERR_FILENO) }
  }
}
