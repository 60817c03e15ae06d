// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

@testable import Generation

/// The code of a RIB whose interactor attaches and detaches each child when it is tapped.
enum SmallRIB {
  /// All of it.
  static func file(_ name: String, _ children: [String]) -> String {
    builder(name, children) + "\n" + router(name, children) + "\n" + interactor(name, children)
  }

  static func builder(_ name: String, _ children: [String]) -> String {
    let arguments = children.map { ", \(lower($0))Builder: \($0)Builder(dependency: component)" }.joined()
    return """
      protocol \(name)Dependency: Dependency {}

      final class \(name)Component: Component<\(name)Dependency>\(children.map { ", \($0)Dependency" }.joined()) {}

      protocol \(name)Buildable: Buildable {
        func build(withListener listener: \(name)Listener) -> \(name)Routing
      }

      final class \(name)Builder: Builder<\(name)Dependency>, \(name)Buildable {
        func build(withListener listener: \(name)Listener) -> \(name)Routing {
          let component = \(name)Component(dependency: dependency)
          let interactor = \(name)Interactor()
          interactor.listener = listener
          return \(name)Router(interactor: interactor\(arguments))
        }
      }

      """
  }

  static func router(_ name: String, _ children: [String]) -> String {
    let properties = children.map { child in
      "  private let \(lower(child))Builder: \(child)Buildable\n  private var \(lower(child))Router: \(child)Routing?\n"
    }
    let parameters = children.map { ", \(lower($0))Builder: \($0)Buildable" }.joined()
    let assignments = children.map { "    self.\(lower($0))Builder = \(lower($0))Builder\n" }.joined()
    let methods = children.map { child in
      """

        func attach\(child)() {
          let router = \(lower(child))Builder.build(withListener: interactor)
          \(lower(child))Router = router
          attachChild(router)
        }

        func detach\(child)() {
          guard let router = \(lower(child))Router else { return }
          detachChild(router)
          \(lower(child))Router = nil
        }

      """
    }
    return """
      protocol \(name)Interactable: Interactable\(children.map { ", \($0)Listener" }.joined()) {
        var router: \(name)Routing? { get set }
      }

      final class \(name)Router: Router<\(name)Interactable>, \(name)Routing {
      \(properties.joined())
        init(interactor: \(name)Interactable\(parameters)) {
      \(assignments)    super.init(interactor: interactor)
          interactor.router = self
        }
      \(methods.joined())}

      """
  }

  static func interactor(_ name: String, _ children: [String]) -> String {
    """
    protocol \(name)Routing: Routing {
    \(children.map { "  func attach\($0)()\n  func detach\($0)()\n" }.joined())}

    protocol \(name)Listener: AnyObject {
      func \(lower(name))DidClose()
    }

    class \(name)Interactor: Interactor, \(name)Interactable {
      weak var router: \(name)Routing?
      weak var listener: \(name)Listener?

      func didTap(_ index: Int) {
        switch index {
    \(children.enumerated().map { "    case \($0.offset):\n      router?.attach\($0.element)()\n" }.joined())\
        default:
          listener?.\(lower(name))DidClose()
        }
      }
    \(children.map { "\n  func \(lower($0))DidClose() {\n    router?.detach\($0)()\n  }\n" }.joined())}

    """
  }

  /// A double of its routing protocol that counts calls.
  static func double(_ name: String, _ children: [String]) -> String {
    let methods = children.flatMap { ["attach\($0)", "detach\($0)"] }
    return """
      final class \(name)RoutingMock: \(name)Routing {
      \(methods.map { "  private(set) var \($0)CallCount = 0\n  func \($0)() { \($0)CallCount += 1 }\n" }.joined())}

      """
  }

  private static func lower(_ name: String) -> String { (try? RIBName(name))?.lowerCamel ?? name }
}
