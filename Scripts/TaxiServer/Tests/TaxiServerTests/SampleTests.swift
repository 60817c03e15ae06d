// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTrees
import Hummingbird
import Logging
import RIBs
import RIBsStore
import Testing
import TreeService

@Suite("The sample in the comment of HTTPTrees")
struct SampleTests {
  private final class OrderInteractor: Interactor {
    var view: [String] { [] }
  }

  private final class OrderRouter: RIBs.Router<OrderInteractor> {}

  /// The text of the sample, which compiles.
  private func sample(
    _ tokens: BearerTokens, _ options: ServerOptions, _ store: any TreeStore, _ logger: Logger
  ) async throws {
    let owner: Access.Rule = { request in request.caller?.id == request.key }
    let access = Access(
      identify: { request, _ in try tokens.caller(of: request) }, read: owner, change: owner)
    let http = HTTPTrees(options, access: access, logger: logger)
    let orders = TreeDirectory<String, OrderRouter>(
      "order", in: http.health.observing(store), configuration: options.directory,
      onEvent: { event in http.health.record(event) },
      build: { _ in OrderRouter(interactor: OrderInteractor()) })
    let responder = http.responder { router in
      let order = http.trees(router).group("orders/:tree")
      order.get { _, context in
        // Looking creates no tree.
        let view = try await orders.perform(onExisting: context.key) { root in root.interactor.view }
        guard let view else { throw Problem(.notFound, "unknown-order", "There is no such order.") }
        return try JSON.response(view)
      }
    }
    let administration = http.administration { trees in trees.add(orders) }
    try await http.run(
      responder, TreeService(orders, timeout: options.shutdown / 2, logger: logger), administration: administration)
  }

  @Test("is a program that compiles")
  func text() throws {
    let here = URL(fileURLWithPath: #filePath)
    let own = try String(contentsOf: here, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let compiled = own.drop { !$0.hasPrefix("    let owner") }.prefix { $0 != "  }" }.map { $0.dropFirst(4) }
    let file = here.deletingLastPathComponent().appending(
      path: "../../../../Templates/Adapters/HTTPTrees/HTTPTrees.swift")
    let lines = try String(contentsOf: file.standardizedFileURL, encoding: .utf8).split(separator: "\n")
    let comment = lines.drop { $0 != "/// ```swift" }.dropFirst().prefix { $0 != "/// ```" }.map { $0.dropFirst(4) }
    #expect(compiled.count > 15)
    #expect(comment == compiled)
  }
}
