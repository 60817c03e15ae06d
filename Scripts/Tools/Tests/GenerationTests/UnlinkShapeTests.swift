// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

/// A parent `Main` with the children `Chat` and `Feed`, written by hand, and what is left of it without `Chat`.
struct UnlinkShape: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The members of `MainComponent`, its conformances, and the statements of `MainBuilder.build`.
  var component = ""
  var conformances = ", ChatDependency, FeedDependency"
  var build = """
        let component = MainComponent(dependency: dependency)
        return MainRouter(
            interactor: MainInteractor(),
            chatBuilder: ChatBuilder(dependency: component),
            feedBuilder: FeedBuilder(dependency: component))
    """
  /// The members of the router, after its builders.
  var router: String
  /// The properties and the initializer of the router.
  var stored = """
      private let chatBuilder: ChatBuildable
      private let feedBuilder: FeedBuildable
      private var chatRouter: ViewableRouting?
      private var feedRouter: ViewableRouting?

      init(interactor: MainInteractable, chatBuilder: ChatBuildable, feedBuilder: FeedBuildable) {
          self.chatBuilder = chatBuilder
          self.feedBuilder = feedBuilder
          super.init(interactor: interactor)
      }
    """
  var routing = "func attachChat()\n  func detachChat()\n  func attachFeed()"
  var interactor = ""
  /// Other declarations.
  var others = ""
  /// Pieces that are in the code afterwards.
  var kept: [String] = []
  /// Whether no name with `chat` is left.
  var isClean = true
  /// A piece of the reason for a refusal; nil if there is none.
  var refusal: String?

  var text: String {
    """
    protocol MainDependency: Dependency {}
    final class MainComponent: Component<MainDependency>\(conformances) {
    \(component)
    }
    final class MainBuilder: Builder<MainDependency> {
      func build() -> LaunchRouting {
    \(build)
      }
    }
    protocol MainInteractable: Interactable, ChatListener, FeedListener {}
    protocol MainRouting: Routing {
      \(routing)
    }
    final class MainInteractor: Interactor, MainInteractable {
      weak var router: MainRouting?
    \(interactor)
    }
    final class MainRouter: Router<MainInteractable>, MainRouting {
    \(stored)

    \(router)
    }
    \(others)

    """
  }

  static func child(_ name: String) -> String {
    """
    protocol \(name)Dependency: Dependency {}
    protocol \(name)Listener: AnyObject {}
    protocol \(name)Routing: ViewableRouting {}
    protocol \(name)Buildable: Buildable { func build(withListener listener: \(name)Listener) -> \(name)Routing }
    final class \(name)Builder: Builder<\(name)Dependency>, \(name)Buildable {
      func build(withListener listener: \(name)Listener) -> \(name)Routing {
        \(name)Router(interactor: \(name)Interactor())
      }
    }
    final class \(name)Router: Router<\(name)Interactable>, \(name)Routing {}

    """
  }

  private static let methods = """
      func attachChat() {
          let router = chatBuilder.build(withListener: interactor)
          chatRouter = router
          attachChild(router)
      }
      func detachChat() {
          if let chatRouter { detachChild(chatRouter) }
          chatRouter = nil
      }
      func attachFeed() {
          let router = feedBuilder.build(withListener: interactor)
          feedRouter = router
          attachChild(router)
      }

    """

  static let all: [UnlinkShape] = [
    UnlinkShape(
      testDescription: "a view with methods of the same names as the router's", router: methods,
      interactor: """
          func open() {
            router?.attachChat()
            presenter.attachChat()
            self.router?.detachChat()
          }
        """,
      others: """
        protocol MainPresentable: Presentable { func attachChat() }
        extension MainRouter { func show() { viewController.detachChat() } }
        """,
      kept: ["presenter.attachChat()", "func attachChat() }", "viewController.detachChat()"], isClean: false),
    UnlinkShape(
      testDescription: "builders made in the router, from a component that it holds",
      build: """
            let component = MainComponent(dependency: dependency)
            return MainRouter(interactor: MainInteractor(), component: component)
        """,
      router: """
          func attachChat() { attachChild(ChatBuilder(dependency: component).build(withListener: interactor)) }
          func detachChat() { children.last.map(detachChild) }
          func attachFeed() { attachChild(FeedBuilder(dependency: component).build(withListener: interactor)) }
        """,
      stored: """
          private let component: MainComponent
          init(interactor: MainInteractable, component: MainComponent) {
              self.component = component
              super.init(interactor: interactor)
          }
        """,
      kept: [
        "attachChild(FeedBuilder(dependency: component)", "component: component", "Component<MainDependency>, FeedDep",
        "func detachChat() { children",
      ], isClean: false),
    UnlinkShape(
      testDescription: "builders that are members of the component",
      component: """
          var chatBuilder: ChatBuildable { ChatBuilder(dependency: self) }
          lazy var feedBuildable: FeedBuildable = { FeedBuilder(dependency: self) }()
        """,
      build: """
            let component = MainComponent(dependency: dependency)
            return MainRouter(interactor: MainInteractor(), component: component)
        """,
      router: """
          func attachChat() {
            let chat = component.chatBuilder.build(withListener: interactor)
            attachChild(chat)
          }
          func attachFeed() { attachChild(component.feedBuildable.build(withListener: interactor)) }
        """,
      stored: """
          private let component: MainComponent
          init(interactor: MainInteractable, component: MainComponent) {
              self.component = component
              super.init(interactor: interactor)
          }
        """, routing: "func attachChat()\n  func attachFeed()",
      kept: ["lazy var feedBuildable", "component.feedBuildable.build"]),
    UnlinkShape(
      testDescription: "builders that members of the component are, and the builder hands over",
      component: """
          fileprivate var chatBuildable: ChatBuildable { return ChatBuilder(dependency: self) }
          fileprivate var feedBuildable: FeedBuildable { return FeedBuilder(dependency: self) }
        """,
      build: """
            let component = MainComponent(dependency: dependency)
            return MainRouter(
                interactor: MainInteractor(), chatBuilder: component.chatBuildable, feedBuilder: component.feedBuildable)
        """,
      router: methods, kept: ["feedBuilder: component.feedBuildable", "fileprivate var feedBuildable"]),
    UnlinkShape(
      testDescription: "a component that has a builder because others need it",
      component: "  lazy var chatBuildable: ChatBuildable = ChatBuilder(dependency: self)",
      build: """
            let component = MainComponent(dependency: dependency)
            return MainRouter(
                interactor: MainInteractor(),
                chatBuilder: component.chatBuildable, feedBuilder: FeedBuilder(dependency: component))
        """,
      router: methods, others: "protocol TopicDependency: Dependency { var chatBuildable: ChatBuildable { get } }",
      kept: ["lazy var chatBuildable", ", ChatDependency, FeedDependency"], isClean: false),
    UnlinkShape(
      testDescription: "a component whose builder other code uses",
      component: "  lazy var chatBuildable: ChatBuildable = ChatBuilder(dependency: self)",
      build: """
            let component = MainComponent(dependency: dependency)
            return MainRouter(
                interactor: MainInteractor(),
                chatBuilder: component.chatBuildable, feedBuilder: FeedBuilder(dependency: component))
        """,
      router: methods, others: "final class Links { func open(_ main: MainComponent) { main.chatBuildable.build() } }",
      kept: ["lazy var chatBuildable", ", ChatDependency, FeedDependency"], isClean: false),
    UnlinkShape(
      testDescription: "builders that a dependency has",
      conformances: ", FeedDependency",
      build: "    MainRouter(interactor: MainInteractor(), builders: dependency)",
      router: """
          func attachChat() { attachChild(builders.chatBuilder.build(withListener: interactor)) }
          func attachFeed() { attachChild(builders.feedBuilder.build(withListener: interactor)) }
        """,
      stored: "  private let builders: HasChatBuilder & HasFeedBuilder\n",
      routing: "func attachChat()\n  func attachFeed()",
      others: """
        protocol HasChatBuilder { var chatBuilder: ChatBuildable { get } }
        protocol HasFeedBuilder { var feedBuilder: FeedBuildable { get } }
        """,
      kept: ["builders.feedBuilder.build"], isClean: false),
    UnlinkShape(
      testDescription: "children that the builder builds",
      build: """
            let component = MainComponent(dependency: dependency)
            let interactor = MainInteractor()
            let chat = ChatBuilder(dependency: component).build(withListener: interactor)
            let feed = FeedBuilder(dependency: component).build(withListener: interactor)
            return MainRouter(interactor: interactor, chatRouter: chat, feedRouter: feed)
        """,
      router: """
          override func didLoad() {
              super.didLoad()
              attachChild(chatRouter)
              attachChild(feedRouter)
              viewController.show([chatRouter.viewControllable, feedRouter.viewControllable])
          }
        """,
      stored: """
          private let chatRouter: ChatRouting
          private let feedRouter: FeedRouting
          init(interactor: MainInteractable, chatRouter: ChatRouting, feedRouter: FeedRouting) {
              self.chatRouter = chatRouter
              self.feedRouter = feedRouter
              super.init(interactor: interactor)
          }
        """, routing: "",
      kept: ["attachChild(feedRouter)", "viewController.show([feedRouter.viewControllable])", "feedRouter: feed)"]),
    UnlinkShape(
      testDescription: "a method that detaches both children",
      router: methods + """
          func detachAll() {
              if let chatRouter { detachChild(chatRouter) }
              if let feedRouter { detachChild(feedRouter) }
              chatRouter = nil
          }
        """,
      kept: ["func detachAll() {", "if let feedRouter { detachChild(feedRouter) }"]),
    UnlinkShape(
      testDescription: "a condition on both children",
      router: methods.replacing(
        "func attachFeed() {\n",
        with: "func attachFeed() {\n          guard chatRouter == nil, feedRouter == nil else { return }\n")
          + """
            func attachOther() {
                guard feedRouter == nil, chatRouter == nil else { return }
                attachFeed()
            }
          """,
      kept: [
        "guard feedRouter == nil else { return }\n      let router",
        "guard feedRouter == nil else { return }\n      attachFeed()",
      ]),
    UnlinkShape(
      testDescription: "a switch over both children",
      router: """
          func attachTab(_ tab: Tab) {
              switch tab {
              case .first:
                  attachChild(chatBuilder.build(withListener: interactor))
              case .second:
                  attachChild(feedBuilder.build(withListener: interactor))
              }
          }
        """, routing: "func attachTab(_ tab: Tab)",
      kept: ["case .first:\nbreak", "attachChild(feedBuilder.build(withListener: interactor))"], isClean: false),
    UnlinkShape(
      testDescription: "a constant that either child is",
      router: """
          func attachTab(_ tab: Tab) {
              let router: ViewableRouting
              switch tab {
              case .first: router = chatBuilder.build(withListener: interactor)
              case .second: router = feedBuilder.build(withListener: interactor)
              }
              attachChild(router)
          }
        """, routing: "func attachTab(_ tab: Tab)", refusal: "sets 'router' by 'Chat'"),
    UnlinkShape(
      testDescription: "headings of sections, of which the child has the first member",
      router: methods,
      stored: """
          init(interactor: MainInteractable, chatBuilder: ChatBuildable, feedBuilder: FeedBuildable) {
              self.chatBuilder = chatBuilder
              self.feedBuilder = feedBuilder
              super.init(interactor: interactor)
          }

          // MARK: - Children

          private let chatBuilder: ChatBuildable
          private let feedBuilder: FeedBuildable

          // MARK: - The chat

          private var chatRouter: ViewableRouting?

          // MARK: - The feed

          private var feedRouter: ViewableRouting?
        """,
      kept: [
        "// MARK: - Children\n\n  private let feedBuilder: FeedBuildable\n\n  // MARK: - The feed"
      ]),
    UnlinkShape(
      testDescription: "a property that depends on the child",
      router: methods + "  var isChatShown: Bool { chatRouter != nil }\n",
      refusal: "'Main' still uses 'Chat'\n  take this out first:\n    Main.swift:50: chatRouter"),
    UnlinkShape(
      testDescription: "a component that only one child needs",
      conformances: ", ChatDependency",
      build: """
            let component = MainComponent(dependency: dependency)
            let chatBuilder = ChatBuilder(dependency: component)
            return MainRouter(interactor: MainInteractor(), chatBuilder: chatBuilder, feedBuilder: FeedMaker())
        """,
      router: methods, kept: ["build() -> LaunchRouting {\n    return MainRouter("]),
  ]
}

@Suite("A child is taken from a parent with")
struct UnlinkShapeTests {
  private let folder = TemporaryFolder()

  @Test(arguments: UnlinkShape.all)
  func shape(_ shape: UnlinkShape) throws {
    let files = [
      "Main.swift": shape.text, "Chat.swift": UnlinkShape.child("Chat"), "Feed.swift": UnlinkShape.child("Feed"),
    ]
    for (path, text) in files { try folder.write(text, to: path) }
    let workspace = Workspace(root: folder.url)
    #expect(try !workspace.source(at: "Main.swift").syntax.hasError)
    let unlink = Unlink(child: try RIBName("Chat"), parent: try RIBName("Main"))
    if let refusal = shape.refusal {
      let failure = #expect(throws: Failure.self) { try unlink.apply(to: workspace) }
      #expect(failure?.message.contains(refusal) == true, "\(failure?.message ?? "")")
      #expect(try workspace.plan().changes.isEmpty)
      return
    }
    try unlink.apply(to: workspace)
    let source = try workspace.source(at: "Main.swift")
    #expect(!source.syntax.hasError, "\(source.text)")
    for piece in shape.kept { #expect(Self.squeezed(source.text).contains(Self.squeezed(piece)), "\(source.text)") }
    if shape.isClean { #expect(!source.text.lowercased().contains("chat"), "\(source.text)") }
    #expect(!source.text.contains("ChatListener"), "\(source.text)")
    #expect(try workspace.plan().changes.map(\.path) == ["Main.swift"])
  }

  @Test("an extension of its component in a file of upstream's template")
  func extensionFile() throws {
    let shape = try #require(UnlinkShape.all.first)
    let path = "MainComponent+Chat.swift"
    let text = "protocol MainDependencyChat: Dependency {}\n\nextension MainComponent: ChatDependency {}\n"
    for (isUsed, isLeft) in [(false, false), (true, true)] {
      let main = shape.text.replacing(", ChatDependency, FeedDependency", with: ", FeedDependency")
      let used =
        isUsed ? main.replacing("MainDependency: Dependency", with: "MainDependency: MainDependencyChat") : main
      let files = [
        "Main.swift": used, "Chat.swift": UnlinkShape.child("Chat"), "Feed.swift": UnlinkShape.child("Feed"),
        path: text,
      ]
      for (path, text) in files { try folder.write(text, to: path) }
      let workspace = Workspace(root: folder.url)
      try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
      #expect(workspace.exists(path) == isLeft)
      #expect(try !isLeft || !workspace.source(at: path).text.contains("ChatDependency {"))
    }
  }

  /// Without indentation.
  private static func squeezed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }
}
