// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree

/// A project whose sources are written in a test.
struct Project {
  /// The texts of the files by path.
  var files: [String: String] = [:]

  init(_ files: [String: String] = [:]) { self.files = files }

  /// A project with one file.
  init(_ text: String) { files = ["App/App.swift": text] }

  var facts: [FileFacts] {
    files.sorted { $0.key < $1.key }.map { path, text in
      FactsReader.facts(of: SourceFile(path: path, text: text))
    }
  }

  var graph: RIBGraph { GraphBuilder(facts).graph() }

  /// The edges of a kind as `Parent > Child`, sorted.
  func edges(_ kind: RIBGraph.EdgeKind = .tree) -> [String] {
    let graph = graph
    return graph.edges.filter { $0.kind == kind }
      .map { "\(graph.nodes[$0.parent].title) > \(graph.nodes[$0.child].title)" }.sorted()
  }

  /// The common types of RIBs, without those that a test declares itself.
  static func ribs(_ names: String..., router: Bool = true) -> String {
    names.map { name in
      """
      protocol \(name)Dependency: Dependency {}
      final class \(name)Component: Component<\(name)Dependency> {}
      protocol \(name)Listener: AnyObject {}
      protocol \(name)Routing: ViewableRouting {}
      protocol \(name)Buildable: Buildable {
        func build(withListener listener: \(name)Listener) -> \(name)Routing
      }
      final class \(name)Interactor: PresentableInteractor<\(name)Presentable>, \(name)Interactable {}
      final class \(name)Builder: Builder<\(name)Dependency>, \(name)Buildable {
        func build(withListener listener: \(name)Listener) -> \(name)Routing {
          let component = \(name)Component(dependency: dependency)
          let interactor = \(name)Interactor(presenter: viewController)
          interactor.listener = listener
          return \(name)Router(interactor: interactor, viewController: viewController)
        }
      }
      """
        + (router
          ? "\nfinal class \(name)Router: ViewableRouter<\(name)Interactable, \(name)ViewControllable>, \(name)Routing {}\n"
          : "\n")
    }.joined(separator: "\n")
  }
}
