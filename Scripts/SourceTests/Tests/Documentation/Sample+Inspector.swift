// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Sample {
  /// All samples in the doc comments of the inspector.
  static let ofTheInspector = inComments(of: "RIBsInspector")

  static let inspecting = """
    import RIBsInspector
    typealias AppComponent = EmptyComponent
    final class RootBuilder: Builder<EmptyDependency> {
      func build() -> Router<Interactor> { Router(interactor: Interactor()) }
    }
    var snapshot: TreeSnapshot { fatalError() }
    var before: TreeSnapshot { fatalError() }
    var after: TreeSnapshot { fatalError() }

    """
}
