// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support

@testable import Generation

/// RIBs in the style of uber/RIBs-iOS apps: no `any`, four spaces, initializers that only call `super`.
struct HandWrittenApp {
  /// The style of a RIB that may become a parent or a child.
  enum Style: String, CaseIterable {
    /// The initializers of builder and router only call `super`, and the component is created but unused.
    case template
    /// There is no component, and the builder returns the router directly.
    case short
    /// The builder conforms to its protocol in an extension.
    case extended
    /// The builder's initializer has more parameters, with defaults.
    case defaults
    /// The listener inherits from another one.
    case inheriting
    /// The router has a property that its initializer sets.
    case property
  }

  static func files(of name: String, _ style: Style) -> [String: String] {
    let listener =
      style == .inheriting
      ? "protocol \(name)Listener: \(name)CloseListener {\n    func \(name.lowerCamel)DidSelect(_ index: Int)\n}\n\n"
        + "protocol \(name)CloseListener: AnyObject {\n    func \(name.lowerCamel)DidClose()\n}\n"
      : "protocol \(name)Listener: AnyObject {\n    func \(name.lowerCamel)DidClose()\n}\n"
    return [
      "App/\(name)/\(name)Builder.swift": builder(name, style),
      "App/\(name)/\(name)Router.swift": router(name, style),
      "App/\(name)/\(name)Interactor.swift": """
      import RIBs

      protocol \(name)Routing: ViewableRouting {
          // What the interactor asks its router for.
      }

      protocol \(name)Presentable: Presentable {
          var listener: \(name)PresentableListener? { get set }
      }

      \(listener)
      final class \(name)Interactor: PresentableInteractor<\(name)Presentable>, \(name)Interactable, \(name)PresentableListener {

          weak var router: \(name)Routing?
          weak var listener: \(name)Listener?

          override init(presenter: \(name)Presentable) {
              super.init(presenter: presenter)
              presenter.listener = self
          }
      }

      """,
    ]
  }

  private static func builder(_ name: String, _ style: Style) -> String {
    let parameters =
      style == .defaults ? "dependency: \(name)Dependency, limit: Int = 3" : "dependency: \(name)Dependency"
    let initializer = """
          \(style == .defaults ? "" : "override ")init(\(parameters)) {
              super.init(dependency: dependency)
          }
      """
    let build = """
          func build(withListener listener: \(name)Listener) -> \(name)Routing {
      \(style == .template ? "        let component = \(name)Component(dependency: dependency)\n" : "")\
              let viewController = \(name)ViewController()
              let interactor = \(name)Interactor(presenter: viewController)
              interactor.listener = listener
              return \(name)Router(interactor: interactor, viewController: viewController)
          }
      """
    let members = style == .short ? build : style == .extended ? initializer : initializer + "\n\n" + build
    let conformance = style == .extended ? "" : ", \(name)Buildable"
    return """
      import RIBs

      protocol \(name)Dependency: Dependency {
          // What the parent provides.
      }

      final class \(name)Component: Component<\(name)Dependency> {
      }

      protocol \(name)Buildable: Buildable {
          func build(withListener listener: \(name)Listener) -> \(name)Routing
      }

      final class \(name)Builder: Builder<\(name)Dependency>\(conformance) {

      \(members)
      }

      """ + (style == .extended ? "\nextension \(name)Builder: \(name)Buildable {\n\n\(build)\n}\n" : "")
  }

  private static func router(_ name: String, _ style: Style) -> String {
    let initializer = """
          // Children are built by what is handed over here.
          override init(interactor: \(name)Interactable, viewController: \(name)ViewControllable) {
              super.init(interactor: interactor, viewController: viewController)
              interactor.router = self
          }
      """
    let withProperty = """
          private let limit: Int

          init(interactor: \(name)Interactable, viewController: \(name)ViewControllable, limit: Int = 3) {
              self.limit = limit
              super.init(interactor: interactor, viewController: viewController)
              interactor.router = self
          }
      """
    return """
      import RIBs

      protocol \(name)Interactable: Interactable {
          var router: \(name)Routing? { get set }
          var listener: \(name)Listener? { get set }
      }

      protocol \(name)ViewControllable: ViewControllable {
          // What the router does with the view.
      }

      final class \(name)Router: ViewableRouter<\(name)Interactable, \(name)ViewControllable>, \(name)Routing {

      \(style == .property ? withProperty : initializer)
      }

      """
  }

  // MARK: Edges

  /// The way in which a parent with two children holds and attaches the first one.
  enum Edge: String, CaseIterable {
    /// `chatBuildable`, and a separate property for the child.
    case buildable
    /// One property for the attached child of either kind.
    case shared
    /// Attached when the router loads, and never detached.
    case loaded
    /// Router and interactor have extensions for each child.
    case extensions
    /// The component conforms in its own declaration, and the builder is created in the call.
    case inline
  }

  /// A parent `Main` with the children `Chat` and `Feed`.
  static func main(_ edge: Edge) -> [String: String] {
    var files: [String: String] = [:]
    for (path, text) in mainFiles(edge) { files["App/Main/" + path] = text }
    for child in ["Chat", "Feed"] { files.merge(self.files(of: child, .template)) { $1 } }
    return files
  }

  private static func mainFiles(_ edge: Edge) -> [String: String] {
    let isInline = edge == .inline
    let arguments = isInline ? "Builder(dependency: component)" : "Builder"
    let made =
      isInline
      ? ""
      : "        let chatBuilder = ChatBuilder(dependency: component)\n        let feedBuilder = FeedBuilder(dependency: component)\n"
    let chat = isInline ? "Chat" + arguments : "chat" + arguments
    let feed = isInline ? "Feed" + arguments : "feed" + arguments
    var files = [
      "MainBuilder.swift": """
      import RIBs

      protocol MainDependency: Dependency {}

      final class MainComponent: Component<MainDependency>\(isInline ? ", ChatDependency, FeedDependency" : "") {
      }

      final class MainBuilder: Builder<MainDependency> {

          func build() -> LaunchRouting {
              let component = MainComponent(dependency: dependency)
              let viewController = MainViewController()
              let interactor = MainInteractor(presenter: viewController)
      \(made)\
              return MainRouter(
                  interactor: interactor,
                  viewController: viewController,
                  chatBuildable: \(chat),
                  feedBuildable: \(feed)
              )
          }
      }

      """,
      "MainRouter.swift": mainRouter(edge), "MainInteractor.swift": mainInteractor(edge),
    ]
    if !isInline {
      for child in ["Chat", "Feed"] {
        files["MainComponent+\(child).swift"] = """
          import RIBs

          extension MainComponent: \(child)Dependency {
          }

          """
      }
    }
    return files
  }

  private static func mainRouter(_ edge: Edge) -> String {
    func methods(_ child: String) -> String {
      let lower = child.lowerCamel
      switch edge {
      case .shared:
        return """
              func attach\(child)() {
                  let \(lower) = \(lower)Buildable.build(withListener: interactor)
                  current = \(lower)
                  attachChild(\(lower))
                  viewController.present(\(lower).viewControllable)
              }
          """
      case .loaded:
        return """
              private func attach\(child)() {
                  let router = \(lower)Buildable.build(withListener: interactor)
                  attachChild(router)
                  viewController.embed(router.viewControllable)
              }
          """
      case .buildable, .extensions, .inline:
        return """
              func attach\(child)() {
                  if \(lower)Router != nil { return }
                  let router = \(lower)Buildable.build(withListener: interactor)
                  viewController.present(router.viewControllable)
                  \(lower)Router = router
                  attachChild(router)
              }

              func detach\(child)() {
                  guard let router = \(lower)Router else { return }
                  viewController.dismiss(router.viewControllable)
                  detachChild(router)
                  \(lower)Router = nil
              }
          """
      }
    }
    let properties =
      switch edge {
      case .shared: "\n    private var current: ViewableRouting?\n"
      case .loaded: ""
      default: "\n    private var chatRouter: ViewableRouting?\n    private var feedRouter: ViewableRouting?\n"
      }
    let common =
      switch edge {
      case .shared:
        """


            func detachCurrent() {
                guard let current else { return }
                viewController.dismiss(current.viewControllable)
                detachChild(current)
                self.current = nil
            }
        """
      case .loaded:
        """


            override func didLoad() {
                super.didLoad()
                attachChat()
                attachFeed()
            }
        """
      default: ""
      }
    let isSplit = edge == .extensions
    return """
      import RIBs

      protocol MainInteractable: Interactable, ChatListener, FeedListener {
          var router: MainRouting? { get set }
      }

      final class MainRouter: LaunchRouter<MainInteractable, MainViewControllable>, MainRouting {

          private let chatBuildable: ChatBuildable
          private let feedBuildable: FeedBuildable
      \(properties)
          init(
              interactor: MainInteractable,
              viewController: MainViewControllable,
              chatBuildable: ChatBuildable,
              feedBuildable: FeedBuildable
          ) {
              self.chatBuildable = chatBuildable
              self.feedBuildable = feedBuildable
              super.init(interactor: interactor, viewController: viewController)
              interactor.router = self
          }\(isSplit ? "" : "\n\n" + methods("Chat") + "\n\n" + methods("Feed"))\(common)
      }

      """
        + (isSplit
          ? "\nextension MainRouter {\n\n\(methods("Chat"))\n}\n\nextension MainRouter {\n\n\(methods("Feed"))\n}\n"
          : "")
  }

  private static func mainInteractor(_ edge: Edge) -> String {
    let requirements =
      switch edge {
      case .shared: "    func attachChat()\n    func attachFeed()\n    func detachCurrent()\n"
      case .loaded: ""
      default: ["Chat", "Feed"].map { "    func attach\($0)()\n    func detach\($0)()\n" }.joined()
      }
    func callback(_ child: String) -> String {
      let call =
        switch edge {
        case .shared: "        router?.detachCurrent()\n"
        case .loaded: ""
        default: "        router?.detach\(child)()\n"
        }
      return "    func \(child.lowerCamel)DidClose() {\n\(call)    }\n"
    }
    let isSplit = edge == .extensions
    let taps =
      edge == .loaded
      ? ""
      : """
          func didTap(_ index: Int) {
              switch index {
              case 0:
                  router?.attachChat()
              default:
                  router?.attachFeed()
              }
          }

      """
    return """
      import RIBs

      protocol MainRouting: LaunchRouting {
      \(requirements)}

      final class MainInteractor: PresentableInteractor<MainPresentable>, MainInteractable {

          weak var router: MainRouting?

      \(taps)\(isSplit ? "" : "\n" + callback("Chat") + "\n" + callback("Feed"))}

      """
        + (isSplit
          ? "\nextension MainInteractor: ChatListener {\n\(callback("Chat"))}\n\nextension MainInteractor: FeedListener {\n\(callback("Feed"))}\n"
          : "")
  }
}

extension String {
  fileprivate var lowerCamel: String { (try? RIBName(self))?.lowerCamel ?? self }
}
