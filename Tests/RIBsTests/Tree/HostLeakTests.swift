import TestSupport
import RIBs
import RIBsTesting
import Testing

private typealias Host = TreeHost<KeepingRouter>

private protocol Session: AnyObject {}

extension TreeHost: Session where Root == KeepingRouter {}

private final class KeepingComponent: Component<EmptyComponent> {
  var host: Host?
}

private final class ChildBuilder: Builder<KeepingComponent> {}

private final class KeepingWorker: Worker {
  lazy var host: Host? = nil
}

private class KeepingInteractor: Interactor {
  final class Neighbor {}

  var host: Host?
  weak var weakHost: Host?
  weak var otherWeakHost: Host?
  var hosts: [Host] = []
  var session: (any Session)?
  var anyHost: AnyTreeHost?
  var closure: (() -> Void)?
  unowned var neighbor: Neighbor
  unowned(unsafe) var unsafeHost: Host?

  override init() {
    // Released at once: a read of the property would end the process.
    let released = Neighbor()
    neighbor = released
  }
}

private final class InheritingInteractor: KeepingInteractor {
  var number = 0
}

private final class KeepingRouter: Router<KeepingInteractor> {
  let component = KeepingComponent(dependency: EmptyComponent())
  let worker = KeepingWorker()
  private let builder: ChildBuilder

  init() {
    builder = ChildBuilder(dependency: component)
    super.init(interactor: InheritingInteractor())
  }

  override func didLoad() {
    super.didLoad()
    worker.start(interactor)
    attachChild(Scripted.ChildRouter())
  }
}

/// Keeps a host outside its tree.
private actor Keeper {
  private var hosts: [Host] = []

  func keep(_ hosts: [Host]) { self.hosts = hosts }
}

#if RIBS_PUBLIC_API_ONLY
  // The checks need functions of the runtime that have no Swift name.
  private let canCheck = false
#else
  private let canCheck = true
#endif

@Suite("A host that a RIB of its own tree keeps", .enabled(if: canCheck))
struct HostLeakTests {
  private let journal = Journal()
  private let clock = TestClock()

  private var configuration: TreeConfiguration {
    TreeConfiguration(
      clock: clock, leakDetection: .after(.seconds(5)), onLeak: { [journal] in journal.write("\($0)") })
  }

  /// Launches a tree, lets a RIB keep its host, and releases it outside.
  private func launch(_ keep: @Sendable (KeepingRouter, Host) -> Void) async throws -> WeakHost {
    let host = await Host(configuration: configuration) { KeepingRouter() }
    try await host.perform { root in keep(root, host) }
    return WeakHost(host: host)
  }

  private struct WeakHost: Sendable {
    weak let host: Host?
  }

  /// Waits until a check is due, or has reported a leak.
  private func waitForCheck() async {
    while clock.deadlines.isEmpty, journal.lines.isEmpty { await Task.yield() }
  }

  /// Waits for several checks.
  private func pass() async {
    for _ in 0..<4 {
      await waitForCheck()
      clock.advance(by: .seconds(40))
    }
    await waitForCheck()
  }

  private func expectLeak(
    of property: String, _ keep: @Sendable (KeepingRouter, Host) -> Void,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let kept = try await launch(keep)
    await clock.waitForSleeper()
    clock.advance(by: .seconds(5))
    await clock.waitForSleeper()
    #expect(journal.lines.isEmpty, sourceLocation: place)
    clock.advance(by: .seconds(5))
    let line =
      "RIBs: Keeping (#1): \(property) has kept the host of its own tree for 5.0 seconds, and nothing else does, so no other code can end the tree. Make the property weak, and keep the host outside the tree."
    await journal.wait(for: line)
    #expect(journal.lines == [line], sourceLocation: place)
    // Reported once.
    #expect(clock.deadlines.isEmpty, sourceLocation: place)
    await kept.host?.shutdown()
  }

  private func expectNoLeak(_ keep: @Sendable (KeepingRouter, Host) -> Void) async throws {
    let kept = try await launch(keep)
    await pass()
    #expect(journal.lines.isEmpty)
    #expect(kept.host != nil)
    await kept.host?.shutdown()
  }

  @Test("is reported with the property of the interactor")
  func interactor() async throws {
    try await expectLeak(of: "KeepingInteractor.host") { root, host in root.interactor.host = host }
  }

  @Test("is reported with the property whose type is a protocol")
  func existential() async throws {
    try await expectLeak(of: "KeepingInteractor.session") { root, host in root.interactor.session = host }
  }

  @Test("is reported with the property of a host with any root type")
  func anyHost() async throws {
    try await expectLeak(of: "KeepingInteractor.anyHost") { root, host in root.interactor.anyHost = AnyTreeHost(host) }
  }

  @Test("is reported if its tree took longer to build than a check takes to come")
  func slowBuilder() async throws {
    let (gate, clock) = (Gate(), clock)
    let building = Task { [configuration] in
      let host = await Host(configuration: configuration) {
        await gate.pass()
        return KeepingRouter()
      }
      try await host.perform { root in root.interactor.host = host }
    }
    for _ in 0..<2 {
      await clock.waitForSleeper()
      clock.advance(by: .seconds(10))
    }
    await clock.waitForSleeper()
    gate.open()
    try await building.value
    while journal.lines.isEmpty {
      await waitForCheck()
      clock.advance(by: .seconds(320))
    }
    #expect(journal.lines.count == 1)
  }

  @Test("is reported with the component that a builder holds")
  func component() async throws {
    try await expectLeak(of: "KeepingComponent.host") { root, host in root.component.host = host }
  }

  @Test("is reported with the worker")
  func worker() async throws {
    try await expectLeak(of: "KeepingWorker.host") { root, host in root.worker.host = host }
  }

  @Test("is reported with the array that holds it")
  func array() async throws {
    try await expectLeak(of: "KeepingInteractor.hosts") { root, host in
      root.interactor.hosts = [host]
      root.interactor.hosts.append(host)
    }
  }

  @Test("is reported with all properties, and not with weak ones")
  func several() async throws {
    try await expectLeak(of: "KeepingInteractor.host, KeepingInteractor.session") { root, host in
      root.interactor.host = host
      root.interactor.session = host
      root.interactor.weakHost = host
      root.interactor.unsafeHost = host
    }
  }

  @Test("is not reported while it is held outside, and is when it no longer is")
  func heldOutside() async throws {
    let keeper = Keeper()
    do {
      let host = await Host(configuration: configuration) { KeepingRouter() }
      try await host.perform { root in root.interactor.host = host }
      await keeper.keep([host])
    }
    await pass()
    #expect(journal.lines.isEmpty)
    await keeper.keep([])
    while journal.lines.isEmpty {
      await waitForCheck()
      clock.advance(by: .seconds(320))
    }
    #expect(journal.lines.count == 1)
  }

  @Test("is not reported while an array is shared with code outside")
  func sharedArray() async throws {
    let keeper = Keeper()
    do {
      let hosts = [await Host(configuration: configuration) { KeepingRouter() }]
      try await hosts[0].perform { root in root.interactor.hosts = hosts }
      await keeper.keep(hosts)
    }
    await pass()
    #expect(journal.lines.isEmpty)
    await keeper.keep([])
  }

  @Test("is not reported if properties are weak, and if a local constant holds it")
  func weak() async throws {
    let host = await Host(configuration: configuration) { KeepingRouter() }
    try await host.perform { root in
      root.interactor.weakHost = host
      root.interactor.otherWeakHost = host
      root.interactor.unsafeHost = host
    }
    await pass()
    #expect(journal.lines.isEmpty)
    await host.shutdown()
  }

  @Test("is not reported if a closure holds it, with or without a property")
  func closure() async throws {
    try await expectNoLeak { root, host in
      root.interactor.host = host
      root.interactor.closure = { withExtendedLifetime(host) {} }
    }
  }

  @Test("ends with its tree when weak properties refer to it")
  func weakAlone() async throws {
    let kept = try await launch { root, host in root.interactor.weakHost = host }
    #expect(kept.host == nil)
    // The checks end.
    while !clock.deadlines.isEmpty {
      clock.advance(by: .seconds(5))
      await Task.yield()
    }
    #expect(journal.lines.isEmpty)
  }

  @Test("is not looked for when leak detection is off")
  func off() async {
    let host = await Host(configuration: TreeConfiguration(clock: clock, leakDetection: .off)) { KeepingRouter() }
    for _ in 0..<10 { await Task.yield() }
    #expect(clock.deadlines.isEmpty)
    await host.shutdown()
  }
}
