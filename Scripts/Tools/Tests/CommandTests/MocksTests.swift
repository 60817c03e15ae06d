// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("Mocks that are written")
struct MocksTests {
  private let folder = TemporaryFolder()

  /// Protocols with every kind of requirement.
  private let services = #"""
    import Foundation
    import RIBs

    struct Trip: Sendable, Equatable { let id: Int }
    struct Refused: Error, Equatable {}
    typealias Completion = (Int) -> Void

    protocol Named: AnyObject {
      var name: String { get }
      func describe(in language: String) -> String
    }

    protocol FareService: Named, Sendable {
      func fare(of trip: Trip) async throws -> Int
      func fare(of trips: [Trip], at hour: Int) async throws -> [Int]
      func fare(_ id: Int) -> Int?
      func fare(_ name: String) -> Int?
      var currency: String { get set }
      var rate: Double { get async throws }
      static var shared: (any FareService)? { get set }
      static func reset(to rate: Double)
    }

    protocol Everything: AnyObject {
      associatedtype Item: Hashable
      var items: [Item] { get set }
      var trip: Trip { get }
      var later: (any FareService)? { get set }
      var changes: Observable<Item> { get }
      func add(_ item: Item, at index: Int)
      func first<Key: Hashable>(_ key: Key, or other: Key?) -> Key
      func decode<Value: Decodable & Sendable>(_ type: Value.Type, from data: Data) throws -> Value where Value: Equatable
      func each(_ body: (Item) throws -> Void) rethrows
      func transform(_ body: @escaping (Int) -> Int, then: Completion?, with other: Completion)
      func log(_ message: @autoclosure () -> String, _ values: Int...)
      func swap(_ one: inout Int, _ other: inout Int)
      func show(some value: some CustomStringConvertible)
      func `default`(`in` place: String) throws(Refused) -> (Int, String?)
      @discardableResult func count() -> Int
      func copy() -> Self
      func same(as other: Self) -> Bool
      func trip(near other: Trip?) -> Trip
      subscript(index: Int) -> Item? { get set }
      subscript(name name: String) -> Trip { get }
    }

    protocol Made {
      init(id: Int, name: String?) throws
      init?(text: String)
      var trip: Trip { get }
      mutating func change()
      var settable: Trip { get set }
    }

    @MainActor protocol Screen: AnyObject {
      var title: String { get set }
      func show(_ trips: [Trip]) async -> Bool
      nonisolated func id() -> Int
      nonisolated var level: Int { get set }
      static func make() -> Int
    }

    protocol Key: Hashable, CustomStringConvertible { var id: Int { get } }

    protocol Both: Named & FareSource { func both() }
    protocol FareSource { func fares() -> AsyncStream<Int> }
    protocol IntStore: Store<Int> { func all() -> [Item] }
    protocol Store<Item> {
      associatedtype Item
      func store(_ item: Item)
    }
    protocol Odd: Sendable {
      func pack<each Value>(_ values: repeat each Value)
      func move(_ one: sending String, _ other: consuming [Int], _ third: borrowing [Int]) async
      func stream() async throws -> AsyncThrowingStream<Int, any Error>
      func work(_ body: @escaping @Sendable (Int) async throws -> Void, then: (@Sendable () -> Void)?) -> (() -> Int)?
      func unnamed(_: Int, _: String)
      var forced: Int! { get set }
      var action: @Sendable () -> Void { get }
      var `default`: String { get set }
      static func < (left: Self, right: Self) -> Bool
      #if os(Linux)
        func here()
      #endif
    }
    protocol Typed<Problem> {
      associatedtype Problem: Error
      func run() throws(Problem)
    }
    protocol Known: Identifiable where ID == String {}
    protocol Legacy: NSCopying {}
    private protocol Hidden {}

    enum Settings {
      struct Value: Equatable { var number = 1 }
      protocol Listener: AnyObject { func didChange(_ value: Value) }
    }

    """#

  private let rib = """
    import RIBs

    protocol OrderDependency: Dependency {
      var fareService: any FareService { get }
      var clock: any Clock<Duration> { get }
    }
    protocol OrderRouting: ViewableRouting {
      func routeToDetail(of trip: Trip)
    }
    protocol OrderPresentable: Presentable {
      var listener: (any OrderPresentableListener)? { get set }
      func show(_ fare: Int)
    }
    protocol OrderPresentableListener: AnyObject { func didTap() }
    protocol OrderListener: AnyObject { func orderDidEnd(with trip: Trip?) }
    protocol OrderInteractable: Interactable, DetailListener {
      var router: (any OrderRouting)? { get set }
    }
    protocol DetailListener: AnyObject { func detailDidClose() }
    protocol OrderBuildable: Buildable {
      func build(withListener listener: any OrderListener) -> any OrderRouting
    }
    protocol OrderWorking: Working { func poll() }

    """

  private let tests = #"""
    import Foundation
    import RIBs
    import Testing

    @testable import App

    @Test func `mocks count calls, keep arguments and do what handlers say`() async throws {
      let service = FareServiceMock()
      #expect(try await service.fare(of: Trip(id: 1)) == 0)
      service.fareOfHandler = { trip in
        if trip.id == 0 { throw Refused() }
        return trip.id * 2
      }
      #expect(try await service.fare(of: Trip(id: 4)) == 8)
      await #expect(throws: Refused.self) { try await service.fare(of: Trip(id: 0)) }
      #expect(service.fareOfCallCount == 3)
      #expect(service.fareOfArguments == [Trip(id: 1), Trip(id: 4), Trip(id: 0)])
      _ = try await service.fare(of: [], at: 7)
      #expect(service.fareOfAtArguments.map(\.hour) == [7])
      #expect(service.fare(1) == nil && service.fare("a") == nil)
      #expect(service.fareIdArguments == [1] && service.fareNameArguments == ["a"])
      #expect(service.describe(in: "en") == "" && service.describeCallCount == 1)
      service.rateHandler = { 1.5 }
      #expect(try await service.rate == 1.5)
    }

    @Test func `mocks of Sendable protocols count in all threads`() async {
      let service = FareServiceMock()
      await withTaskGroup(of: Void.self) { group in
        for id in 0..<100 { group.addTask { _ = service.fare(id) } }
      }
      #expect(service.fareIdCallCount == 100)
      #expect(Set(service.fareIdArguments) == Set(0..<100))
      FareServiceMock.reset(to: 2)
      #expect(FareServiceMock.resetArguments == [2])
    }

    @Test func `mocks have generic functions, closures, subscripts and associated types`() throws {
      let mock = EverythingMock<String>(trip: Trip(id: 1))
      mock.items = ["a"]
      #expect(mock.itemsSetCallCount == 1 && mock.trip == Trip(id: 1))
      mock.firstHandler = { key, other in other as? Int ?? key }
      #expect(mock.first(1, or: 2) == 2 && mock.first(1, or: nil) == 1)
      mock.decodeHandler = { type, _ in type is Int.Type ? 3 as Any : "x" }
      #expect(try mock.decode(Int.self, from: Data()) == 3)
      var seen: [String] = []
      mock.eachHandler = { body in try? body("b") }
      mock.each { seen.append($0) }
      #expect(seen == ["b"] && mock.eachCallCount == 1)
      mock.transform({ $0 + 1 }, then: nil, with: { _ in })
      #expect(mock.transformArguments[0].body(1) == 2)
      mock.logHandler = { message, values in seen.append(message() + "\(values)") }
      mock.log("c", 1, 2)
      #expect(seen == ["b", "c[1, 2]"] && mock.logArguments == [[1, 2]])
      var (one, other) = (1, 2)
      mock.swapHandler = { swap(&$0, &$1) }
      mock.swap(&one, &other)
      #expect(one == 2 && other == 1)
      mock[3] = "d"
      #expect(mock[3] == nil && mock.subscriptIndexArguments == [3])
      #expect(mock.subscriptIndexSetArguments.map(\.newValue) == ["d"])
      mock.subscriptNameHandler = { Trip(id: $0.count) }
      #expect(mock[name: "abc"] == Trip(id: 3))
      mock.defaultHandler = { (_) throws(Refused) in throw Refused() }
      #expect(throws: Refused.self) { try mock.default(in: "x") }
      mock.copyHandler = { mock }
      mock.sameHandler = { $0 === mock }
      #expect(mock.same(as: mock.copy()))
      let store = IntStoreMock()
      store.store(4)
      #expect(store.storeArguments == [4] && StoreMock<Int>().storeCallCount == 0)
      #expect(KeyMock() != KeyMock() && Set([KeyMock(), KeyMock()]).count == 2)
    }

    @Test func `mocks have initializers, and are isolated as their protocols are`() async throws {
      let made: any Made = try MadeMock(id: 1, name: nil)
      #expect((made as? MadeMock)?.initIdNameArguments.map(\.id) == [1])
      #expect(MadeMock(text: "a")?.initTextArguments == ["a"])
      let screen = ScreenMock()
      await MainActor.run { screen.showHandler = { $0.isEmpty } }
      #expect(await screen.show([]) == true)
      #expect(screen.id() == 0 && screen.idCallCount == 1)
      let listener = Settings.ListenerMock()
      listener.didChange(Settings.Value(number: 2))
      #expect(listener.didChangeArguments == [Settings.Value(number: 2)])
    }

    @Test func `mocks of routers can be attached, and those of builders build them`() {
      let builder = OrderBuildableMock()
      let listener = OrderListenerMock()
      let order = builder.build(withListener: listener)
      #expect(builder.buildArguments.count == 1 && builder.buildArguments[0] === listener)
      let root = Router(interactor: Interactor())
      root.interactable.activate()
      root.attachChild(order)
      #expect(root.children.count == 1 && root.children[0] === order)
      #expect((order as? OrderRoutingMock)?.loadCallCount == 1)
      root.detachChild(order)
      #expect(root.children.isEmpty)
      #expect(OrderDependencyMock(clock: ContinuousClock()).fareService.currency == "")
    }

    @Test func `a presenter's mock does not keep its listener`() {
      let presenter = OrderPresentableMock()
      do {
        let listener = OrderPresentableListenerMock()
        presenter.listener = listener
        withExtendedLifetime(listener) { #expect(presenter.listener != nil) }
      }
      #expect(presenter.listener == nil && presenter.listenerSetCallCount == 1)
    }

    """#

  @Test("compile without a warning, do what tests say, and are the same each time")
  func everyKind() throws {
    try SamplePackage.write(to: folder)
    try folder.write(services, to: "Sources/App/Services.swift")
    try folder.write(rib, to: "Sources/App/Order.swift")
    try folder.write(tests, to: "Tests/AppTests/UsingMocks.swift")
    let file = "Tests/AppTests/Mocks.swift"
    let made = try Tool.run("mocks", "--output", file, in: folder.url)
    #expect(made.status == 0 && made.output == "created \(file)\n", "\(made)")
    #expect(
      made.errors == """
        note: 'Legacy' (Sources/App/Services.swift:91) is left out: nothing is known here of 'NSCopying', which it \
        inherits from

        """)
    let text = try #require(folder.contents[file])
    #expect(!text.contains("Hidden"))
    let printed = try Tool.run("mocks", "Sources/App/Services.swift", "Sources/App/Order.swift", in: folder.url)
    #expect(printed.output == text)
    let again = try Tool.run("mocks", "Sources", "--output", file, "--quiet", in: folder.url)
    #expect(again.status == 0 && folder.contents[file] == text)

    let env = URL(filePath: "/usr/bin/env")
    let lint = try Tool.run(env, ["swift", "format", "lint", "--strict", "-r", "Tests"], in: folder.url)
    // Implicitly unwrapped types of the protocol must be the same in the mock.
    let found = lint.errors.split(separator: "\n").filter { !$0.contains("UsingMocks") && !$0.contains("Unwrapped") }
    #expect(found.isEmpty, "\(lint)")
    let tested = try SamplePackage.swift("test", ["--disable-xctest"], in: folder)
    #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
    #expect(tested.output.contains("Test run with 6 tests in 0 suites passed"), "\(tested.output.suffix(300))")
  }

  @Test("are checked against the protocols with --check, which writes nothing")
  func check() throws {
    try SamplePackage.write(to: folder)
    try folder.write(rib, to: "Sources/App/Order.swift")
    let arguments = ["mocks", "--output", "Tests/AppTests/Mocks.swift"]
    let missing = try Tool.run(Tool.url, arguments + ["--check"], in: folder.url)
    #expect(missing.status == 1 && missing.output.hasPrefix("--- /dev/null\n"))
    #expect(folder.contents["Tests/AppTests/Mocks.swift"] == nil)
    #expect(try Tool.run(Tool.url, arguments, in: folder.url).status == 0)
    let same = try Tool.run(Tool.url, arguments + ["--check"], in: folder.url)
    #expect(same.status == 0 && same.output == "Tests/AppTests/Mocks.swift is up to date\n")
    try folder.write(rib.replacing("func poll()", with: "func poll(now: Bool)"), to: "Sources/App/Order.swift")
    let before = folder.contents
    let stale = try Tool.run(Tool.url, arguments + ["--check"], in: folder.url)
    #expect(stale.status == 1)
    #expect(stale.output.contains("\n-  func poll() {\n") && stale.output.contains("\n+  func poll(now: Bool) {\n"))
    #expect(folder.contents == before)
  }

  @Test("do not replace a file that something else has written", arguments: [[], ["--check"], ["--dry-run"]])
  func foreign(options: [String]) throws {
    try folder.write("protocol Named { var name: String { get } }\n", to: "Sources/App/Named.swift")
    try folder.write("// mine\n", to: "Tests/AppTests/Named.swift")
    let before = folder.contents
    let refused = try Tool.run(
      Tool.url, ["mocks", "Sources", "--output", "Tests/AppTests/Named.swift"] + options, in: folder.url)
    #expect(refused.status == 73 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errors.contains("'Tests/AppTests/Named.swift' was not written by 'ribs mocks'"), "\(refused)")
    #expect(folder.contents == before)
  }

  @Test("are not written where there is nothing to mock, and not twice")
  func nothing() throws {
    try SamplePackage.write(to: folder, outline: "- Root")
    try folder.write("struct Empty {}", to: "Sources/App/Empty.swift")
    let before = folder.contents
    for (arguments, status) in [
      (["Sources/App/Empty.swift"], 66), (["none.swift"], 66), (["--check"], 64), (["--output", "x.txt"], 64),
      (["--output", "../x.swift"], 64),
    ] as [([String], Int32)] {
      let outcome = try Tool.run(Tool.url, ["mocks"] + arguments, in: folder.url)
      #expect(outcome.status == status && outcome.output.isEmpty && !outcome.errors.isEmpty, "\(arguments): \(outcome)")
    }
    #expect(folder.contents == before)
    // The protocols from the templates that have no mock of that name yet.
    let rest = try Tool.run("mocks", "--output", "Tests/AppTests/More.swift", in: folder.url)
    #expect(
      rest.status == 0
        && rest.errors.contains("'RootRouting'") == before.values.contains { $0.contains("RootRoutingMock") })
  }
}
