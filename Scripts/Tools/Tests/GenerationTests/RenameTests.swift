// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

@Suite("Renaming")
struct RenameTests {
  private let root = TemplateLibrary.builtIn.deletingLastPathComponent()

  @Test("each RIB of the demonstration, there and back, leaves all files as they were, and no old name in between")
  func thereAndBack() throws {
    let workspace = Workspace(root: root)
    try workspace.focus(on: "TaxiOrder")
    let names = try RIBParts.names(in: workspace).map { try RIBName($0) }
    #expect(names.count >= 17)
    let new = try RIBName("QuiteAnother")
    let isThorough = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil
    for old in isThorough ? names : names.filter({ ["Order", "LoggedIn", "Eta"].contains($0.text) }) {
      let types = workspace.declarations(mentioning: old.text).map(\.name)
        .filter { RoleNames(rib: old).ownsType($0) }
      #expect(types.count >= 6, "\(old)")
      let gone = Set(types + ["routeTo\(old)", "detach\(old)", "\(old.lowerCamel)Builder"])
      try Rename(from: old, to: new).apply(to: workspace)
      #expect(!workspace.exists("Sources/TaxiOrder/RIBs/\(old)"))
      #expect(workspace.exists("Sources/TaxiOrder/RIBs/QuiteAnother/QuiteAnotherRouter.swift"))
      for file in workspace.sourcePaths.compactMap({ try? workspace.source(at: $0) }) {
        for token in file.syntax.tokens(viewMode: .sourceAccurate) where gone.contains(token.text) {
          Issue.record("\(file.place(of: token)): \(token.text)")
        }
      }
      try Rename(from: new, to: old).apply(to: workspace)
      #expect(try workspace.plan().changes.isEmpty, "\(old)")
    }
  }

  private let folder = TemporaryFolder()

  @Test("changes types, members, files, folders, comments and titles of tests, and what is like them stays")
  func names() throws {
    try write()
    let workspace = Workspace(root: folder.url)
    try Rename(from: try RIBName("Order"), to: try RIBName("Trip")).apply(to: workspace)
    #expect(
      workspace.paths == [
        "App/AppRouter.swift", "App/OrderState.swift", "App/Trip/TripBuilder.swift", "App/Trip/notes.txt",
        "Tests/Trip/TripInteractorTests.swift",
      ])
    #expect(
      try workspace.source(at: "App/AppRouter.swift").text == """
        /// Order by order: an order is not an Order, but a TripBuilder builds one.
        final class AppRouter: Router<AppInteractor>, AppRouting {
          private let tripBuilder: any TripBuildable
          private var trip: (any Routing)?
          init(interactor: AppInteractor, tripBuilder: any TripBuildable) {
            self.tripBuilder = tripBuilder
            super.init(interactor: interactor)
          }
          func routeToTrip() {
            let trip = tripBuilder.build(withListener: interactor)
            self.trip = trip
            attachChild(trip)
            log(order: state.order, "An order")
          }
          func place(_ order: OrderState) { print(order) }
        }
        final class AppInteractor: TripListener {
          func tripDidEnd(_ state: OrderState) {}
        }

        """)
    #expect(
      try workspace.source(at: "App/Trip/TripBuilder.swift").text == """
        /// Builds Trip, as `TripRouter` knows; an order stays one.
        final class TripBuilder: Builder<TripDependency>, TripBuildable { let text = "Order" }
        final class TripRouter: Router<Interactor> { func orderAgain() {} }
        protocol TripListener: AnyObject { func tripDidEnd(_ state: OrderState) }
        protocol TripBuildable: Buildable {}
        protocol TripDependency: Dependency {}
        struct TripNumber {}

        """)
    #expect(
      try workspace.source(at: "Tests/Trip/TripInteractorTests.swift").text == """
        @Suite("The interactor of Trip") struct TripInteractorTests { let text = "Order" }

        """)
  }

  @Test("keeps every file of a folder that has another name and holds nothing else")
  func moduleLayout() throws {
    let roles = ["Builder", "Interactor", "Router", "ViewController"]
    for role in roles {
      try folder.write("final class Order\(role) {}\n", to: "Features/Order/Sources/Order\(role).swift")
    }
    let workspace = Workspace(root: folder.url)
    try Rename(from: try RIBName("Order"), to: try RIBName("Trip")).apply(to: workspace)
    try Transaction.carryOut(try workspace.plan())
    let expected = roles.map { ("Features/Order/Sources/Trip\($0).swift", "final class Trip\($0) {}\n") }
    #expect(folder.contents == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("to a name that is taken, or that would be ambiguous, is refused")
  func refusals() throws {
    try write()
    try folder.write("final class TripRouter {}\n", to: "App/TripRouter.swift")
    let workspace = Workspace(root: folder.url)
    func failure(_ old: String, _ new: String) throws -> Failure? {
      let rename = Rename(from: try RIBName(old), to: try RIBName(new))
      let failure = #expect(throws: Failure.self) { try rename.apply(to: workspace) }
      #expect(try workspace.plan().changes.isEmpty)
      return failure
    }
    #expect(
      try failure("Order", "Trip")?.message.contains(
        "the name 'Trip' is taken: 'TripRouter' is declared in App/TripRouter.swift:1") == true)
    // A word in a comment that the reverse renaming would take for the name.
    try folder.write("/// Not a Ride.\nstruct OrderNote {}\n", to: "App/Order/OrderComponent+Note.swift")
    let again = Workspace(root: folder.url)
    let rename = Rename(from: try RIBName("Order"), to: try RIBName("Ride"))
    let told = #expect(throws: Failure.self) { try rename.apply(to: again) }
    #expect(told?.message.contains("look at 'Ride' in App/Order/OrderComponent+Note.swift:1") == true)
    #expect(try again.plan().changes.isEmpty)
    #expect(try failure("Odrer", "Trip")?.status == 66)
    #expect(try failure("Order", "Order")?.status == 64)
  }

  private func write() throws {
    try folder.write("keep me\n", to: "App/Order/notes.txt")
    try folder.write("enum OrderState {}\n", to: "App/OrderState.swift")
    try folder.write(
      """
      /// Order by order: an order is not an Order, but a OrderBuilder builds one.
      final class AppRouter: Router<AppInteractor>, AppRouting {
        private let orderBuilder: any OrderBuildable
        private var order: (any Routing)?
        init(interactor: AppInteractor, orderBuilder: any OrderBuildable) {
          self.orderBuilder = orderBuilder
          super.init(interactor: interactor)
        }
        func routeToOrder() {
          let order = orderBuilder.build(withListener: interactor)
          self.order = order
          attachChild(order)
          log(order: state.order, "An order")
        }
        func place(_ order: OrderState) { print(order) }
      }
      final class AppInteractor: OrderListener {
        func orderDidEnd(_ state: OrderState) {}
      }

      """, to: "App/AppRouter.swift")
    try folder.write(
      """
      /// Builds Order, as `OrderRouter` knows; an order stays one.
      final class OrderBuilder: Builder<OrderDependency>, OrderBuildable { let text = "Order" }
      final class OrderRouter: Router<Interactor> { func orderAgain() {} }
      protocol OrderListener: AnyObject { func orderDidEnd(_ state: OrderState) }
      protocol OrderBuildable: Buildable {}
      protocol OrderDependency: Dependency {}
      struct OrderNumber {}

      """, to: "App/Order/OrderBuilder.swift")
    try folder.write(
      """
      @Suite("The interactor of Order") struct OrderInteractorTests { let text = "Order" }

      """, to: "Tests/Order/OrderInteractorTests.swift")
  }
}
