// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

@Suite("Links between RIBs of other styles")
struct LinkStyleTests {
  private let folder = TemporaryFolder()

  private func workspace(_ files: [String: String]) throws -> Workspace {
    for (path, text) in files { try folder.write(text, to: path) }
    return Workspace(root: folder.url)
  }

  /// Links and unlinks, and expects the same bytes as before.
  ///
  /// - Returns: the sources in between.
  private func roundTrip(
    _ child: String, to parent: String, in files: [String: String], route: Link.Route = .attach
  ) throws -> String {
    let workspace = try workspace(files)
    let (child, parent) = (try RIBName(child), try RIBName(parent))
    let notes = try Link(child: child, parent: parent, route: route, templates: try TemplateLibrary())
      .apply(to: workspace)
    #expect(notes == [])
    let linked = try workspace.sourcePaths.map { path -> String in
      let source = try workspace.source(at: path)
      #expect(!source.syntax.hasError, "\(source.text)")
      return source.text
    }
    try Unlink(child: child, parent: parent).apply(to: workspace)
    #expect(try workspace.plan().diff == "")
    return linked.joined()
  }

  /// A parent with an initializer, and protocols with the given bodies.
  private func parent(_ name: String, body: String = " {}") -> String {
    """
    protocol \(name)Dependency: Dependency\(body)
    final class \(name)Component: Component<\(name)Dependency>\(body)
    final class \(name)Builder: Builder<\(name)Dependency>, \(name)Buildable {
      func build(withListener listener: \(name)Listener) -> \(name)Routing {
        let component = \(name)Component(dependency: dependency)
        let interactor = \(name)Interactor()
        return \(name)Router(interactor: interactor, viewController: viewController, count: 1)
      }
    }
    protocol \(name)Buildable: Buildable {
      func build(withListener listener: \(name)Listener) -> \(name)Routing
    }
    protocol \(name)Routing: ViewableRouting\(body)
    protocol \(name)Listener: AnyObject\(body)
    protocol \(name)Interactable: Interactable\(body)
    final class \(name)Interactor: Interactor, \(name)Interactable\(body)
    final class \(name)Router: ViewableRouter<\(name)Interactable, ViewControllable>, \(name)Routing {
      private let count: Int

      init(interactor: \(name)Interactable, viewController: ViewControllable, count: Int) {
        self.count = count

        // The base class is last.
        super.init(interactor: interactor, viewController: viewController)
        interactor.router = self
      }
    }

    """
  }

  @Test("take the layout from a .swift-format, also from one with comments")
  func layout() throws {
    let settings = "{\n  // Wide.\n  \"lineLength\": 150,\n  \"indentation\": { \"tabs\": 1 },\n}\n"
    try folder.write(settings, to: ".swift-format")
    #expect(LayoutStyle(near: folder.url) == LayoutStyle(lineLength: 150, unit: "\t"))
  }

  @Test(
    "keep empty braces as they were, and blank lines and comments before a call of super",
    arguments: [" {}", " {\n}", " {\n\n}", " {\n  \n}", " {\n  // None.\n}"])
  func braces(body: String) throws {
    let files = ["Main.swift": parent("Main", body: body), "Chat.swift": parent("Chat", body: body)]
    #expect(try roundTrip("Chat", to: "Main", in: files).contains("attachChild(chat)"))
    #expect(try roundTrip("Chat", to: "Main", in: files, route: .slot).contains("{ chat.route = .attached }"))
  }

  @Test("take the router from what a child's builder returns, by its label or position")
  func results() throws {
    for (type, member) in [("(router: ChatRouting, item: ChatItem)", "router"), ("(ChatItem, ChatRouting)", "1")] {
      let chat = parent("Chat").replacing("-> ChatRouting\n}", with: "-> \(type)\n}")
      let linked = try roundTrip("Chat", to: "Main", in: ["Main.swift": parent("Main"), "Chat.swift": chat])
      #expect(linked.contains("chatBuilder.build(withListener: interactor).\(member)\n"))
      let files = ["Main.swift": parent("Main"), "Chat.swift": chat]
      let inSlot = try roundTrip("Chat", to: "Main", in: files, route: .slot)
      #expect(inSlot.contains("router.chatBuilder.build(withListener: router.interactor).\(member)\n"))
    }
    let chat = parent("Chat").replacing("-> ChatRouting\n}", with: "-> (ChatRouting, FeedRouting)\n}")
    let workspace = try workspace(["Main.swift": parent("Main"), "Chat.swift": chat])
    let failure = #expect(throws: Failure.self) {
      try Link(child: try RIBName("Chat"), parent: try RIBName("Main"), templates: try TemplateLibrary())
        .apply(to: workspace)
    }
    #expect(failure?.message.contains("returns no router, or more than one") == true)
  }

  @Test("find the method of a builder in an inherited protocol, and the one of a builder in stages")
  func methods() throws {
    let method = "  func build(withListener listener: ChatListener) -> ChatRouting\n"
    let inherited =
      parent("Chat").replacing("Buildable: Buildable {\n\(method)}", with: "Buildable: ChatPlugin {}")
      + "protocol ChatPlugin: Buildable {\n\(method)}\n"
    let files = ["Main.swift": parent("Main"), "Chat.swift": inherited]
    #expect(try roundTrip("Chat", to: "Main", in: files).contains("chatBuilder.build(withListener: interactor)\n"))
    let staged = parent("Chat").replacing("func build(withL", with: "func finalStageBuild(withL")
    let linked = try roundTrip("Chat", to: "Main", in: ["Main.swift": parent("Main"), "Chat.swift": staged])
    #expect(linked.contains("chatBuilder.finalStageBuild(withListener: interactor)\n"))
  }

  @Test("link a RIB with a plain router")
  func plainRouter() throws {
    let chat = """
      protocol ChatDependency: Dependency {}
      protocol ChatListener: AnyObject {}
      protocol ChatBuildable: Buildable { func build(withListener listener: ChatListener) -> ViewableRouting }
      final class ChatBuilder: Builder<ChatDependency>, ChatBuildable {
        func build(withListener listener: ChatListener) -> ViewableRouting { ViewableRouter(interactor: i) }
      }
      """
    let linked = try roundTrip("Chat", to: "Main", in: ["Main.swift": parent("Main"), "Chat.swift": chat])
    #expect(linked.contains("ChatBuilder(dependency: component)"))
  }

  @Test("pass on what a base class of all builders holds")
  func passedOn() throws {
    func own(_ name: String) -> String {
      parent(name).replacing("Builder<\(name)Dependency>", with: "ContainerBuilder")
        .replacing("    let component = \(name)Component(dependency: dependency)\n", with: "")
    }
    let base = "class ContainerBuilder {\n  let container: Container\n  init(container: Container) {}\n}\n"
    let files = ["Base.swift": base, "Main.swift": own("Main"), "Chat.swift": own("Chat")]
    #expect(try roundTrip("Chat", to: "Main", in: files).contains("ChatBuilder(container: container)"))
  }

  @Test("hand a componentized builder a closure, unless its component is one of needle")
  func componentized() throws {
    let chat = parent("Chat").replacing(
      "Builder<ChatDependency>", with: "ComponentizedBuilder<ChatComponent, ChatRouting, ChatListener, Void>")
    let linked = try roundTrip("Chat", to: "Main", in: ["Main.swift": parent("Main"), "Chat.swift": chat])
    #expect(linked.contains("chatBuilder: ChatBuilder { ChatComponent(dependency: component) }"))
    #expect(linked.contains("extension MainComponent: ChatDependency {}"))
    let workspace = try workspace(["Main.swift": parent("Main"), "Chat.swift": "import NeedleFoundation\n" + chat])
    let failure = #expect(throws: Failure.self) {
      try Link(child: try RIBName("Chat"), parent: try RIBName("Main"), templates: try TemplateLibrary())
        .apply(to: workspace)
    }
    #expect(failure?.message.contains("is a component of needle") == true)
  }

  @Test("keep a conformance that the component needs for another RIB")
  func conformance() throws {
    let main = parent("Main").replacing(
      "Component<MainDependency> {}",
      with: "Component<MainDependency>, ChatDependency {\n  lazy var chat = ChatBuilder(dependency: self)\n}")
    let linked = try roundTrip("Chat", to: "Main", in: ["Main.swift": main, "Chat.swift": parent("Chat")])
    #expect(linked.contains("chatBuilder: ChatBuilder(dependency: component)"))
  }

  @Test("refuse a name that the router uses for something else")
  func otherUse() throws {
    let main = parent("Main").replacing(
      "  private let count: Int\n",
      with: """
          struct Deps {
            let chatBuilder: TabBuildable
          }
          private let deps: Deps
          private let count: Int
          func show() { attachChild(deps.chatBuilder.build()) }

        """)
    let workspace = try workspace(["Main.swift": main, "Chat.swift": parent("Chat")])
    let failure = #expect(throws: Failure.self) {
      try Link(child: try RIBName("Chat"), parent: try RIBName("Main"), templates: try TemplateLibrary())
        .apply(to: workspace)
    }
    #expect(failure?.message.contains("uses the name 'chatBuilder' for something else (Main.swift:") == true)
    let other = #expect(throws: Failure.self) {
      try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    }
    #expect(other?.message.contains("uses 'chatBuilder' (Main.swift:") == true)
    #expect(try workspace.plan().diff == "")
  }

  @Test("take a child from a list that it shares with others")
  func lists() throws {
    let children = ["feed", "chat", "more"]
    for child in children {
      let main = """
        final class MainBuilder: Builder<MainDependency> {
          func build() -> LaunchRouting {
            MainRouter(interactor: i, feed: FeedBuilder(dependency: c), chat: ChatBuilder(dependency: c), more: MoreBuilder(dependency: c))
          }
        }
        final class MainRouter: LaunchRouter<MainInteractable, V> {
          private let feed: FeedBuildable
          private let chat: ChatBuildable
          private let more: MoreBuildable
          init(interactor: I, feed: FeedBuildable, chat: ChatBuildable, more: MoreBuildable) {
            self.feed = feed
            self.chat = chat
            self.more = more
            super.init(interactor: interactor)
          }
          func attachTabs() {
            let feedRouting = feed.build()
            let chatRouting = chat.build()
            let moreRouting = more.build()
            attachChild(feedRouting)
            attachChild(chatRouting)
            attachChild(moreRouting)
            viewController.show([
              Navigation(root: feedRouting.viewControllable),
              Navigation(root: chatRouting.viewControllable),
              moreRouting.viewControllable
            ])
          }
        }

        """
      var files = ["Main.swift": main]
      for name in ["Feed", "Chat", "More"] { files["\(name).swift"] = parent(name) }
      let workspace = try workspace(files)
      try Unlink(child: try RIBName(child.prefix(1).uppercased() + child.dropFirst()), parent: try RIBName("Main"))
        .apply(to: workspace)
      let source = try workspace.source(at: "Main.swift")
      #expect(!source.syntax.hasError, "\(source.text)")
      #expect(!source.text.lowercased().contains(child), "\(source.text)")
      let others = children.filter { $0 != child }
      #expect(others.allSatisfy { source.text.contains("attachChild(\($0)Routing)") })
      #expect(source.text.count(of: ".viewControllable") == 2, "\(source.text)")
      #expect(!source.text.contains(",\n      ])") && !source.text.contains("[,"), "\(source.text)")
    }
  }

  @Test("take a child from a structure of builders")
  func structures() throws {
    let main = """
      final class MainBuilder: Builder<MainDependency> {
        func build() -> LaunchRouting {
          MainRouter(
            interactor: i,
            deps: MainRouter.Deps(
              feedBuilder: FeedBuilder(dependency: c),
              chatBuilder: ChatBuilder(dependency: c)))
        }
      }
      final class MainRouter: LaunchRouter<MainInteractable, V> {
        struct Deps {
          let feedBuilder: FeedBuildable
          let chatBuilder: ChatBuildable
        }
        private let deps: Deps
        init(interactor: I, deps: Deps) {
          self.deps = deps
          super.init(interactor: interactor)
        }
        func showFeed() { attachChild(deps.feedBuilder.build()) }
        func showChat() { attachChild(deps.chatBuilder.build()) }
      }

      """
    let workspace = try workspace(["Main.swift": main, "Feed.swift": parent("Feed"), "Chat.swift": parent("Chat")])
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    let source = try workspace.source(at: "Main.swift")
    #expect(!source.text.lowercased().contains("chat"), "\(source.text)")
    #expect(source.text.contains("feedBuilder: FeedBuilder(dependency: c)))"), "\(source.text)")
  }

  @Test("say that RIBs named by their roles only can't be edited")
  func roles() throws {
    let bare = "final class Builder: RIBs.Builder<Dependency> {}\nfinal class Router: ViewableRouter<I, V> {}\n"
    let workspace = try workspace(["Main.swift": parent("Main"), "Chat/Builder.swift": bare])
    let failure = #expect(throws: Failure.self) {
      try Link(child: try RIBName("Chat"), parent: try RIBName("Main"), templates: try TemplateLibrary())
        .apply(to: workspace)
    }
    #expect(failure?.message.contains("named by their roles only (Chat/Builder.swift:1)") == true)
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
