// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

/// A change of the RIBs `Main` and `Chat` to a shape in which apps write them, and what a link writes then.
struct LinkShape: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The replacements in the parent.
  var main: [String: String] = [:]
  /// The replacements in the child.
  var chat: [String: String] = [:]
  var others = ""
  /// Pieces that are in the code afterwards.
  var written: [String] = []
  /// A piece of the reason for a refusal; nil if there is none.
  var refusal: String?

  /// A RIB as upstream's template writes it.
  static func rib(_ name: String) -> String {
    """
    import RIBs

    protocol \(name)Dependency: Dependency {
        // What the parent provides.
    }

    final class \(name)Component: Component<\(name)Dependency> {

        // What only this RIB uses.
    }

    // MARK: - Builder

    protocol \(name)Buildable: Buildable {
        func build(withListener listener: \(name)Listener) -> \(name)Routing
    }

    final class \(name)Builder: Builder<\(name)Dependency>, \(name)Buildable {

        override init(dependency: \(name)Dependency) {
            super.init(dependency: dependency)
        }

        func build(withListener listener: \(name)Listener) -> \(name)Routing {
            let component = \(name)Component(dependency: dependency)
            let viewController = \(name)ViewController()
            let interactor = \(name)Interactor(presenter: viewController)
            interactor.listener = listener
            return \(name)Router(interactor: interactor, viewController: viewController)
        }
    }

    protocol \(name)Interactable: Interactable {
        var router: \(name)Routing? { get set }
        var listener: \(name)Listener? { get set }
    }

    protocol \(name)ViewControllable: ViewControllable {
    }

    final class \(name)Router: ViewableRouter<\(name)Interactable, \(name)ViewControllable>, \(name)Routing {

        override init(interactor: \(name)Interactable, viewController: \(name)ViewControllable) {
            super.init(interactor: interactor, viewController: viewController)
            interactor.router = self
        }
    }

    protocol \(name)Routing: ViewableRouting {
    }

    protocol \(name)Listener: AnyObject {
        func \(name.lowercased())DidFinish()
    }

    final class \(name)Interactor: PresentableInteractor<\(name)Presentable>, \(name)Interactable {

        weak var router: \(name)Routing?
        weak var listener: \(name)Listener?

        override init(presenter: \(name)Presentable) {
            super.init(presenter: presenter)
            presenter.listener = self
        }
    }

    """
  }

  func text(of name: String, _ changes: [String: String]) -> String {
    changes.reduce(LinkShape.rib(name)) { text, change in
      precondition(text.contains(change.key), change.key)
      return text.replacing(change.key, with: change.value)
    }
  }

  private static let publicAccess: [String: String] = [
    "protocol ": "public protocol ", "final class ": "public final class ", "override init": "public override init",
    "    func build(withListener listener: MainListener) -> MainRouting {":
      "    public func build(withListener listener: MainListener) -> MainRouting {",
  ]

  private static let making = "let component = MainComponent(dependency: dependency)"

  static let all: [LinkShape] = [
    LinkShape(testDescription: "upstream's template", written: ["chatBuilder: ChatBuilder(dependency: component)"]),
    LinkShape(
      testDescription: "explicit initializers",
      main: [
        making: "let made = MainComponent.init(dependency: dependency)",
        "return MainRouter(": "return MainRouter.init(",
      ],
      written: ["ChatBuilder(dependency: made)"]),
    LinkShape(
      testDescription: "a component with an annotated type",
      main: [making: "let made: MainComponent = .init(dependency: dependency)"],
      written: ["ChatBuilder(dependency: made)"]),
    LinkShape(
      testDescription: "a component that has an initializer of its own",
      main: [
        "    // What only this RIB uses.\n":
          "    let window: Window\n    init(dependency: MainDependency, window: Window) {}\n",
        making: "let component = MainComponent(dependency: dependency, window: window)",
      ], written: ["ChatBuilder(dependency: component)"]),
    LinkShape(
      testDescription: "a component whose initializer only passes on",
      main: [
        "    // What only this RIB uses.\n":
          "    override init(dependency: MainDependency) {\n        super.init(dependency: dependency)\n    }\n",
        "        \(making)\n": "",
      ], written: [making, "ChatBuilder(dependency: component)"]),
    LinkShape(
      testDescription: "a builder that is a single expression",
      main: [
        """
                \(making)
                let viewController = MainViewController()
                let interactor = MainInteractor(presenter: viewController)
                interactor.listener = listener
                return MainRouter(interactor: interactor, viewController: viewController)

        """: "        MainRouter(interactor: MainInteractor(), viewController: MainViewController())\n"
      ], written: ["ChatBuilder(dependency: MainComponent(dependency: dependency))"]),
    LinkShape(
      testDescription: "builders that name the module of their base class",
      main: [": Builder<": ": RIBs.Builder<"], chat: [": Builder<": ": ModernRIBs.Builder<"],
      written: ["ChatBuilder(dependency: component)"]),
    LinkShape(
      testDescription: "a router that names the module of its base class",
      main: [
        ": ViewableRouter<": ": RIBs.ViewableRouter<",
        """
            override init(interactor: MainInteractable, viewController: MainViewControllable) {
                super.init(interactor: interactor, viewController: viewController)
                interactor.router = self
            }

        """: "",
      ], written: ["init(", "super.init(interactor: interactor, viewController: viewController)"]),
    LinkShape(
      testDescription: "a dependency that is a composition of others",
      main: ["    // What only this RIB uses.\n": "    var log: Log { Log() }\n    var store: Store { Store() }\n"],
      chat: [
        "protocol ChatDependency: Dependency {\n    // What the parent provides.\n}":
          "typealias ChatDependency = HasLog & HasStore"
      ],
      others: "protocol HasLog: Dependency { var log: Log { get } }\nprotocol HasStore { var store: Store { get } }\n",
      written: ["extension MainComponent: ChatDependency"]),
    LinkShape(
      testDescription: "several methods that build, of which one takes less",
      chat: [
        "protocol ChatBuildable: Buildable {":
          "protocol ChatBuildable: Buildable {\n    func build(withListener listener: ChatListener, topic: Topic) -> ChatRouting"
      ], written: ["chatBuilder.build(withListener: interactor)"]),
    LinkShape(
      testDescription: "an override that is public, in the order of a style guide",
      main: publicAccess.merging(["override init": "override public init"]) { $1 },
      chat: publicAccess.reduce(into: [:]) {
        $0[$1.key.replacing("Main", with: "Chat")] = $1.value.replacing("Main", with: "Chat")
      },
      written: ["    public init("]),
    LinkShape(
      testDescription: "a listener that asks for what the interactor has for its view already",
      main: [
        "PresentableInteractor<MainPresentable>, MainInteractable {":
          "PresentableInteractor<MainPresentable>, MainInteractable, MainPresentableListener {",
        "        presenter.listener = self\n    }\n":
          "        presenter.listener = self\n    }\n\n    func didTapClose() {}\n",
      ],
      chat: ["    func chatDidFinish()\n": "    func didTapClose()\n    func didTapHelp()\n"],
      others: "protocol MainPresentableListener: AnyObject { func didTapClose() }\n"
        + "extension MainInteractor: HelpListener { func didTapHelp() { open() } }\n"
        + "protocol HelpListener: AnyObject { func didTapHelp() }\n",
      written: ["    func didTapClose() {}\n}\n"]),
    LinkShape(
      testDescription: "public types",
      main: publicAccess,
      chat: publicAccess.reduce(into: [:]) {
        $0[$1.key.replacing("Main", with: "Chat")] = $1.value.replacing("Main", with: "Chat")
      },
      written: [
        "    public func routeToChat() {", "    public func detachChat() {", "    public func chatDidFinish() {",
        "    public init(", "    func routeToChat()\n",
      ]),
    LinkShape(
      testDescription: "a public router, and a child that is not",
      main: publicAccess,
      refusal: "'MainRouter' (Main.swift:44) has a public initializer, and 'ChatBuildable' is not public"),
    LinkShape(
      testDescription: "a dependency that is forwarded, in public",
      main: publicAccess.merging(["    // What the parent provides.\n": "    var log: Log { get }\n"]) { $1 },
      chat: publicAccess.reduce(into: [:]) {
        $0[$1.key.replacing("Main", with: "Chat")] = $1.value.replacing("Main", with: "Chat")
      }.merging(["    // What the parent provides.\n": "    var log: Log { get }\n"]) { $1 },
      written: ["public var log: Log { dependency.log }"]),
  ]
}

@Suite("A child is linked to a parent, and unlinked byte for byte, with")
struct LinkShapeTests {
  private let folder = TemporaryFolder()

  @Test(arguments: LinkShape.all, Link.Route.allCases)
  func shape(_ shape: LinkShape, route: Link.Route) throws {
    let files = [
      "Main.swift": shape.text(of: "Main", shape.main), "Chat.swift": shape.text(of: "Chat", shape.chat),
      "Others.swift": shape.others,
    ]
    for (path, text) in files { try folder.write(text, to: path) }
    let workspace = Workspace(root: folder.url)
    let (child, parent) = (try RIBName("Chat"), try RIBName("Main"))
    let link = Link(child: child, parent: parent, route: route, templates: try TemplateLibrary())
    if let refusal = shape.refusal {
      let failure = #expect(throws: Failure.self) { try link.apply(to: workspace) }
      #expect(failure?.message.contains(refusal) == true, "\(failure?.message ?? "")")
      #expect(try workspace.plan().changes.isEmpty)
      return
    }
    #expect(try link.apply(to: workspace).isEmpty)
    let sources = try workspace.sourcePaths.map { try workspace.source(at: $0) }
    let text = sources.map(\.text).joined()
    #expect(sources.allSatisfy { !$0.syntax.hasError }, "\(text)")
    for piece in shape.written where route == .attach { #expect(text.contains(piece), "\(text)") }
    try Unlink(child: child, parent: parent).apply(to: workspace)
    let left = try workspace.plan().diff
    #expect(left == "")
  }
}

/// Links whose child needs what RIBs above the parent have.
@Suite("What a child needs and its parent does not have")
struct HandedDownTests {
  private let folder = TemporaryFolder()

  /// A chain of RIBs `Root`, `Home` and `Main`, of which the first has a log.
  private func workspace(_ changes: [String: String] = [:], root: String = "    var log: Log { Log() }\n") throws
    -> Workspace
  {
    let texts = [
      "Root.swift": LinkShape.rib("Root").replacing("    // What only this RIB uses.\n", with: root)
        + "extension RootComponent: HomeDependency {}\n",
      "Home.swift": LinkShape.rib("Home") + "extension HomeComponent: MainDependency {}\n",
      "Main.swift": LinkShape.rib("Main"),
      "Chat.swift": "import Logging\n"
        + LinkShape.rib("Chat").replacing("    // What the parent provides.\n", with: "    var log: Log { get }\n"),
    ]
    for (path, text) in texts {
      try folder.write(changes.reduce(text) { $0.replacing($1.key, with: $1.value) }, to: path)
    }
    return Workspace(root: folder.url)
  }

  private func link(_ child: String = "Chat", to parent: String = "Main") throws -> Link {
    Link(child: try RIBName(child), parent: try RIBName(parent), templates: try TemplateLibrary())
  }

  @Test("is handed down from an ancestor that has it, and unlinking takes that back")
  func handedDown() throws {
    let workspace = try workspace()
    #expect(try link().apply(to: workspace).isEmpty)
    #expect(
      try workspace.source(at: "MainComponent+Chat.swift").text == """
        import Logging
        import RIBs

        /// What Chat gets from Main.
        extension MainComponent: ChatDependency {
          var log: Log { dependency.log }
        }

        /// What RIBs above Main hand down for Chat.
        protocol MainDependencyChat: Dependency {
          var log: Log { get }
        }

        extension HomeComponent {
          var log: Log { dependency.log }
        }

        """)
    for name in ["Main", "Home"] {
      let text = try workspace.source(at: "\(name).swift").text
      #expect(text.contains("protocol \(name)Dependency: Dependency, MainDependencyChat {"), "\(text)")
    }
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    #expect(try workspace.plan().diff == "")
  }

  @Test("is handed down in public where the dependencies are public")
  func publicTypes() throws {
    let workspace = try workspace(["protocol ": "public protocol ", "final class ": "public final class "])
    #expect(try link().apply(to: workspace).isEmpty)
    let text = try workspace.source(at: "MainComponent+Chat.swift").text
    #expect(text.contains("public protocol MainDependencyChat"))
    #expect(text.contains("extension HomeComponent {\n  public var log: Log"))
  }

  @Test(
    "is refused where no ancestor has it, or one keeps it to itself",
    arguments: ["", "    fileprivate var log: Log { Log() }\n"])
  func missing(root: String) throws {
    let workspace = try workspace(root: root)
    let failure = #expect(throws: Failure.self) { try link().apply(to: workspace) }
    #expect(failure?.message.contains("does not have what 'ChatDependency'") == true)
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test("is refused where a type that provides the parent's dependency does not have it, such as a double")
  func double() throws {
    let workspace = try workspace()
    workspace.write("final class MainDependencyMock: MainDependency {}\n", to: "Mocks.swift")
    let failure = #expect(throws: Failure.self) { try link().apply(to: workspace) }
    #expect(failure?.message.contains("not all RIBs above it have it") == true)
  }

  @Test(
    "becomes accessible where the parent's component has it for itself only, and private again",
    arguments: [
      "fileprivate let log = Log()", "private lazy var log: Log = Log()", "fileprivate var log: Log { Log() }",
    ])
  func opened(member: String) throws {
    let workspace = try workspace(root: "    // Nothing.\n")
    let text = LinkShape.rib("Main").replacing("    // What only this RIB uses.\n", with: "    \(member)\n")
    try folder.write(text, to: "Main.swift")
    #expect(try link().apply(to: workspace).isEmpty)
    let open = String(member.drop { $0 != " " })
    #expect(try workspace.source(at: "Main.swift").text.contains("\n   \(open)\n"))
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    #expect(try workspace.plan().diff == "")
  }

  @Test("becomes accessible beside what is handed down, in one file")
  func openedAndHandedDown() throws {
    let workspace = try workspace()
    let text = LinkShape.rib("Main")
      .replacing("    // What only this RIB uses.\n", with: "    fileprivate var name: String { \"\" }\n")
    try folder.write(text, to: "Main.swift")
    try folder.write(
      LinkShape.rib("Chat").replacing(
        "    // What the parent provides.\n", with: "    var log: Log { get }\n    var name: String { get }\n"),
      to: "Chat.swift")
    #expect(try link().apply(to: workspace).isEmpty)
    #expect(
      try workspace.source(at: "Main.swift").text.contains(
        "final class MainComponent: Component<MainDependency> {\n\n    var name: String { \"\" }\n"))
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    #expect(try workspace.plan().diff == "")
  }

  @Test("stays accessible while another child needs it, too")
  func openedTwice() throws {
    let workspace = try workspace(root: "    // Nothing.\n")
    let text = LinkShape.rib("Main")
      .replacing("    // What only this RIB uses.\n", with: "    fileprivate let log = Log()\n")
    try folder.write(text, to: "Main.swift")
    try folder.write(
      LinkShape.rib("Feed").replacing("    // What the parent provides.\n", with: "    var log: Log { get }\n"),
      to: "Feed.swift")
    #expect(try link().apply(to: workspace).isEmpty)
    _ = try link("Feed").apply(to: workspace)
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    #expect(try workspace.source(at: "Main.swift").text.contains("\n    let log = Log()\n"))
  }

  @Test("is refused where it would have to be public")
  func hidden() throws {
    let workspace = try workspace(["protocol ": "public protocol ", "final class ": "public final class "])
    let text = try workspace.source(at: "Main.swift").text
    workspace.write(
      text.replacing("    // What only this RIB uses.\n", with: "    fileprivate let log = Log()\n"), to: "Main.swift")
    let failure = #expect(throws: Failure.self) { try link().apply(to: workspace) }
    #expect(failure?.message.contains("'log' (Main.swift:9), which 'ChatDependency' asks for, is private") == true)
  }

  @Test("stays while another child needs it")
  func shared() throws {
    let workspace = try workspace()
    _ = try link().apply(to: workspace)
    workspace.write(
      LinkShape.rib("Feed").replacing("    // What the parent provides.\n", with: "    var log: Log { get }\n"),
      to: "Feed.swift")
    #expect(try link("Feed", to: "Home").apply(to: workspace).isEmpty)
    #expect(try !workspace.source(at: "HomeComponent+Feed.swift").text.contains("log"))
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    #expect(try !workspace.source(at: "Main.swift").text.contains("ChatListener"))
    #expect(try workspace.source(at: "Home.swift").text.contains("HomeDependency: Dependency, MainDependencyChat {"))
    #expect(try workspace.source(at: "MainComponent+Chat.swift").text.contains("extension HomeComponent {"))
  }
}

@Suite("Linking a child of another module")
struct LinkModuleTests {
  private let folder = TemporaryFolder()

  private func workspace(isPublic: Bool, imports: String, target: String = "Chat") throws -> Workspace {
    let chat = LinkShape.rib("Chat")
    let texts = [
      "Chat/Package.swift":
        "import PackageDescription\nlet package = Package(name: \"Chat\", targets: [.target(name: \"\(target)\")])\n",
      "Chat/Sources/\(target)/Chat.swift": isPublic
        ? chat.replacing("protocol ", with: "public protocol ").replacing("final class ", with: "public final class ")
        : chat,
      "App/Main.swift": imports + LinkShape.rib("Main"),
    ]
    for (path, text) in texts { try folder.write(text, to: path) }
    return Workspace(root: folder.url)
  }

  private func link() throws -> Link {
    Link(child: try RIBName("Chat"), parent: try RIBName("Main"), templates: try TemplateLibrary())
  }

  @Test("is refused if the parent does not import it, or it is not public")
  func refused() throws {
    for (isPublic, imports, reason) in [
      (true, "", "(Chat/Sources/Chat/Chat.swift:18) is in the module Chat, and 'App/Main.swift' does not import it"),
      (false, "import Chat\n", "is in the module Chat, and 'ChatBuilder' is not public"),
    ] {
      let workspace = try workspace(isPublic: isPublic, imports: imports)
      let failure = #expect(throws: Failure.self) { try link().apply(to: workspace) }
      #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
      #expect(try workspace.plan().changes.isEmpty)
    }
  }

  @Test("imports the module in the file of the component", arguments: [("Chat", "Chat"), ("A-Chat", "A_Chat")])
  func imported(target: String, module: String) throws {
    let workspace = try workspace(isPublic: true, imports: "import \(module)\n", target: target)
    #expect(try link().apply(to: workspace).isEmpty)
    #expect(
      try workspace.source(at: "App/MainComponent+Chat.swift").text.hasPrefix("import \(module)\nimport RIBs\n\n"))
    try Unlink(child: try RIBName("Chat"), parent: try RIBName("Main")).apply(to: workspace)
    #expect(try workspace.plan().diff == "")
  }

  @Test("imports the runtime by the name that the parent's builder imports")
  func runtime() throws {
    for (path, name) in [("Main.swift", "Main"), ("Chat.swift", "Chat")] {
      try folder.write(LinkShape.rib(name).replacing("import RIBs", with: "import ModernRIBs"), to: path)
    }
    let workspace = Workspace(root: folder.url)
    #expect(try link().apply(to: workspace).isEmpty)
    #expect(try workspace.source(at: "MainComponent+Chat.swift").text.hasPrefix("import ModernRIBs\n\n"))
  }
}
