// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Sample {
  /// All samples in the doc comments of the stores.
  static let ofTheStore = inComments(of: "RIBsStore")

  /// The sample in the program that it needs.
  func inFunction(_ number: Int) -> String { "@MainActor func run\(number)() async throws {\n\(placed)\n}" }

  static let server = """
    import RIBsTesting
    typealias AppComponent = EmptyComponent
    final class RootInteractor: Interactor {
      var total = 0
      let totals = BehaviorRelay(value: 0)
    }
    struct RootBuilder {
      init(dependency: EmptyComponent) {}
      func build() -> Router<RootInteractor> { Router(interactor: RootInteractor()) }
    }

    """
}
