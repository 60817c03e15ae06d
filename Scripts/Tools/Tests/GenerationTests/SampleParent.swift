// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support

@testable import Generation

/// A parent `Home` with the given files, and a child `Detail` generated from templates.
struct SampleParent {
  var builder = """
    import RIBs

    protocol HomeDependency: Dependency {}

    final class HomeComponent: Component<any HomeDependency> {}

    final class HomeBuilder: Builder<any HomeDependency> {
      func build() -> any HomeRouting {
        let interactor = HomeInteractor()
        let router = HomeRouter(interactor: interactor)
        interactor.router = router
        return router
      }
    }

    """
  var interactor = """
    import RIBs

    protocol HomeRouting: Routing {}

    final class HomeInteractor: Interactor, HomeInteractable {
      weak var router: (any HomeRouting)?
    }

    """
  var router = """
    import RIBs

    protocol HomeInteractable: Interactable {
      var router: (any HomeRouting)? { get set }
    }

    final class HomeRouter: Router<any HomeInteractable>, HomeRouting {}

    """
  var childListener = """
    protocol DetailListener: AnyObject {
      func detailDidFinish()
    }

    """
  var childBuilder = """
    import RIBs

    protocol DetailDependency: Dependency {}

    protocol DetailBuildable: Buildable {
      func build(withListener listener: any DetailListener) -> any DetailRouting
    }

    final class DetailBuilder: Builder<any DetailDependency>, DetailBuildable {
      func build(withListener listener: any DetailListener) -> any DetailRouting {
        DetailRouter(interactor: DetailInteractor())
      }
    }

    final class DetailRouter: Router<DetailInteractor>, DetailRouting {}

    """
  var others: [String: String] = [:]

  private static let files = ["Home/HomeBuilder.swift", "Home/HomeInteractor.swift", "Home/HomeRouter.swift"]

  /// The files in a temporary folder.
  func workspace(in folder: TemporaryFolder) throws -> Workspace {
    try folder.write(#"{ "version": 1, "lineLength": 120, "indentation": { "spaces": 2 } }"#, to: ".swift-format")
    for (path, text) in zip(SampleParent.files, [builder, interactor, router]) { try folder.write(text, to: path) }
    try folder.write(childListener, to: "Detail/DetailListener.swift")
    try folder.write(childBuilder, to: "Detail/DetailBuilder.swift")
    for (path, text) in others { try folder.write(text, to: path) }
    return Workspace(root: folder.url)
  }

  static func link() throws -> Link {
    Link(child: try RIBName("Detail"), parent: try RIBName("Home"), templates: try TemplateLibrary())
  }

  static func unlink() throws -> Unlink { Unlink(child: try RIBName("Detail"), parent: try RIBName("Home")) }
}
