// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import RIBsLists
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

/// What takes numbers, called with the smallest, the largest and those around zero.
enum NumberProbe {
  typealias Probe = @Sendable () async throws -> Void

  static let numbers: [Int] = [.min, -1, 0, 1, .max]
  static let durations: [Duration] = [
    Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max),
    Duration(attoseconds: .max),
  ]

  static let wallTimes = [Int64.min, -1, 0, 1, .max].map(WallTime.init(microsecondsSince1970:))

  /// By the name in `Tests/API`.
  static let all: [String: Probe] = core.merging(lists) { $1 }.merging(stores) { $1 }
    .merging(inspector) { $1 }.merging(testing) { $1 }

  /// What only stores its number, or passes it on to what is tried.
  static let values: Set<String> = [
    "BoundWork.TimedOut.init(timeout:)", "DirectoryFull.init(limit:)", "FollowerRefusal.treeFull(limit:)",
    "TreeBusy.init(key:limit:)",
    "FaultyStore.claim(_:by:schema:)", "FaultyStore.due(_:limit:schema:)", "FaultyStore.renew(_:for:)",
    "DirectoryEvent.leaseRevived(fenced:)", "DirectoryEvent.woken(_:late:)", "FaultyStore.revive(_:for:holding:)",
    "ForwardingStore.claim(_:by:schema:)", "ForwardingStore.due(_:limit:schema:)", "ForwardingStore.renew(_:for:)",
    "ForwardingStore.revive(_:for:holding:)", "TreeStore.revive(_:for:holding:)",
    "FileStoreError.laterFormat(file:format:)",
    "FileStoreError.system(call:path:code:)", "InspectedEvents.Element.lost(_:)", "LaterSchema.init(key:saved:known:)",
    "ListDifference.Pair.init(old:new:)", "ListDifference.applied(to:inserting:)", "Nearness.init(rawValue:)",
    "SavedTree.RestoreError.Reason.laterFormat(_:)", "SavedTree.RestoreError.Reason.laterVersion(saved:known:)",
    "SavedTree.RestoreError.Reason.migrationFailed(version:_:)",
    "SavedRecord.init(version:schema:document:isAwake:wakes:unfinishedStarts:)",
    "Saving.migrate(_:from:)", "TestTree.randomSeed", "Transcript.Contents.init(rawValue:)",
    "TreeClaim.claimed(fence:saved:)", "TreeClaim.laterSchema(_:)", "TreeConfiguration.randomSeed",
    "TreeRecord.init(key:fence:version:schema:content:isAwake:wakes:isReleased:)", "TreeStore.claim(_:by:schema:)",
    "TreeStart.init(key:fence:state:)", "TreeStore.due(_:limit:schema:)", "TreeStore.renew(_:for:)",
    "TreeUnanswered.init(key:timeout:tree:hasBegun:reason:)", "UnfinishedStarts.init(count:last:)",
    "WallTime.init(microsecondsSince1970:)", "WorkflowError.stepTimedOut(_:after:)", "WorkflowError.timedOut(_:after:)",
    "JSONFields.init(_:_:required:)", "JSONFields.init(_:known:)", "StoreChoice.Opener",
    // A file descriptor: a wrong one is refused by the system.
    "InspectorClient.record(to:summaries:)",
  ]

  // MARK: RIBs

  private static func makeHost(
    _ configuration: TreeConfiguration = TreeConfiguration(leakDetection: .off, onFailure: { _ in })
  ) async -> TreeHost<Router<Interactor>> {
    await TreeHost(configuration: configuration) { Router(interactor: Interactor()) }
  }

  /// Calls a closure with each value.
  private static func each<Value: Sendable>(
    _ values: [Value], _ body: @escaping @Sendable (Value) async throws -> Void
  ) -> Probe {
    { for value in values { try await body(value) } }
  }

  /// Calls a closure with a host, and waits until all that it starts has ended.
  private static func onHost(_ body: @escaping @Sendable (TreeHost<Router<Interactor>>) async throws -> Void) -> Probe {
    {
      let host = await makeHost()
      try await body(host)
      await host.shutdown()
    }
  }

  /// Calls a closure on a tree with each value, and waits until the bound work that it starts has ended.
  private static func onTree<Value: Sendable>(
    with values: [Value], _ body: @escaping @Sendable (Router<Interactor>, Value) throws -> Void
  ) -> Probe {
    onHost { host in for value in values { try await host.perform { root in try body(root, value) } } }
  }

  private static func detachChild(of root: Router<Interactor>) {
    let child = Router(interactor: Interactor())
    root.attachChild(child)
    root.detachChild(child)
  }

  private static let core: [String: Probe] = [
    "TreeHost.shutdown(timeout:)": each(durations) { timeout in await makeHost().shutdown(timeout: timeout) },
    "Tree.shutdown(timeout:)": each(durations) { timeout in await shutDown(timeout) },
    "Backoff.exponential(from:to:jitter:)": {
      for (first, longest) in pairs {
        for jitter in [-1, 0, 1, Double.nan, .infinity] {
          let backoff = Backoff.exponential(from: first, to: longest, jitter: jitter)
          var random = SystemRandomNumberGenerator()
          let pause = backoff.pause(before: .max, using: &random)
          #expect(pause >= .milliseconds(1))
        }
      }
    },
    "Backoff.pause(before:using:)": {
      var random = SystemRandomNumberGenerator()
      for attempt in numbers { #expect(Backoff.exponential().pause(before: attempt, using: &random) > .zero) }
    },
    "TreeConfiguration.LeakDetection.after(_:)": {
      for delay in durations {
        let host = await makeHost(TreeConfiguration(leakDetection: .after(delay), onLeak: { _ in }))
        try await host.perform { root in detachChild(of: root) }
        await host.shutdown()
      }
      let counting = CountingClock()
      let host = await makeHost(TreeConfiguration(clock: counting, leakDetection: .after(.zero), onLeak: { _ in }))
      try await host.perform { root in detachChild(of: root) }
      await counting.waitForSleep()
      #expect(counting.shortest >= .milliseconds(1))
      await host.shutdown()
    },
    "WallTime.advanced(by:)": {
      for time in wallTimes { for duration in durations { _ = time.advanced(by: duration).description } }
    },
    "WallTime.+(_:_:)": {
      for time in wallTimes { for duration in durations { _ = (time + duration).description } }
    },
    "WallTime.-(_:_:)": {
      for time in wallTimes {
        for duration in durations { _ = (time - duration).description }
        for other in wallTimes { #expect((time - other > .zero) == (time > other)) }
      }
    },
    "ObservableType.skip(_:)": each(numbers) { count in
      _ = BehaviorRelay(value: 1).skip(count).subscribe(onNext: { _ in })
    },
    "ObservableType.take(_:)": each(numbers) { count in
      _ = BehaviorRelay(value: 1).take(count).subscribe(onNext: { _ in })
    },
    "Restarts.upTo(_:within:after:with:)": each(numbers) { limit in
      for period in durations {
        let host = await makeHost()
        try await host.perform { root in
          let slot = ChildSlot<Int>(of: root, restarts: .upTo(limit, within: period)) { _, _ in
            Router(interactor: Interactor())
          }
          slot.route = 1
          (slot.child as? Router<Interactor>)?.interactor.fail(Failure())
        }
        await host.shutdown()
      }
    },
    "RouterNode.attachChildren(for:inSlicesOf:fileID:line:build:finished:)": onTree(with: durations) { root, budget in
      root.attachChildren(for: 0..<3, inSlicesOf: budget) { _ in Router(interactor: Interactor()) }
    },
    "TaskOwner.task(timeout:fileID:line:_:)": onTree(with: durations) { root, timeout in
      root.interactor.task(timeout: timeout) { await Task.yield() }
    },
    "TaskOwner.task(_:overlap:timeout:fileID:line:_:)": onTree(with: durations) { root, timeout in
      root.interactor.task("key", overlap: .enqueue, timeout: timeout) { await Task.yield() }
    },
    "TaskOwner.run(timeout:fileID:line:_:then:onError:)": onTree(with: durations) { root, timeout in
      root.interactor.run(timeout: timeout, { 1 }, then: { _ in })
    },
    "TaskOwner.run(_:overlap:timeout:fileID:line:_:then:onError:)": onTree(with: durations) { root, timeout in
      root.interactor.run("key", overlap: .enqueue, timeout: timeout, { 1 }, then: { _ in })
    },
    "TreeHost.perform(timeout:fileID:line:_:)": onHost { host in
      for timeout in durations { _ = try? await host.perform(timeout: timeout) { _ in await Task.yield() } }
    },
    "TreeHost.perform(within:timeout:fileID:line:_:)": onHost { host in
      for timeout in durations {
        _ = try? await host.perform(within: { $0.interactor }, timeout: timeout) { _ in await Task.yield() }
      }
    },
    "TreeConfiguration.savePause": each(durations) { pause in
      let saving = NoSaving()
      var configuration = TreeConfiguration(leakDetection: .off, saving: saving)
      configuration.savePause = pause
      let host = await makeHost(configuration)
      for _ in 0..<2 {
        try await host.perform { root in
          root.interactor.setNeedsSave()
          try await root.interactor.checkpoint()
        }
        try await host.perform { root in root.interactor.setNeedsSave() }
      }
      await host.shutdown()
    },
    "TurnWatchdog.init(limit:endsProcessAfter:onReport:)": {
      // A long second limit: even an idle machine may suspend a short turn for a second.
      for limit in durations {
        let watchdog = TurnWatchdog(limit: limit, endsProcessAfter: max(limit, .seconds(3_600)), onReport: { _ in })
        #expect(watchdog.limit >= .milliseconds(1))
        let host = await makeHost(TreeConfiguration(leakDetection: .off, watchdog: watchdog))
        try await host.perform { _ in }
        await host.shutdown()
      }
    },
    "TreeConfiguration.turnLimit": each(durations) { limit in
      var configuration = TreeConfiguration(leakDetection: .off, onSlowTurn: { _ in })
      configuration.turnLimit = limit
      await makeHost(configuration).shutdown()
    },
    "TreeConfiguration.init(name:labels:clock:wallClock:leakDetection:turnLimit:watchdog:inspector:saving:savePause:eventKinds:workContext:randomSeed:onEvent:aroundWork:onMisuse:onLeak:onFailure:onEnd:onSlowTurn:)":
      {
        for limit in durations {
          await makeHost(
            TreeConfiguration(
              leakDetection: .off, turnLimit: limit, randomSeed: limit < .zero ? .min : .max, onSlowTurn: { _ in })
          ).shutdown()
        }
      },
    "Workflow.init(timeout:)": onTree(with: durations) { root, timeout in
      let waiting = Router(interactor: Interactor())
      let workflow = Workflow<Interactor>(timeout: timeout)
      _ = workflow.onStep { [waiting] _ in (waiting.interactor, ()) }.onStep { item, _ in (item, ()) }.commit()
        .subscribe(root.interactor)
    },
    "Workflow.onStep(timeout:fileID:line:_:)": onTree(with: durations) { root, timeout in
      _ = Workflow<Interactor>().onStep(timeout: timeout) { item in (item, ()) }.commit().subscribe(root.interactor)
    },
    "Step.onStep(timeout:fileID:line:_:)": onTree(with: durations) { root, timeout in
      _ = Workflow<Interactor>().onStep { item in (item, ()) }.onStep(timeout: timeout) { item, _ in (item, ()) }
        .commit().subscribe(root.interactor)
    },
    "inParallel(_:atMost:_:)": each(numbers) { limit in
      let outputs = try await inParallel(0..<3, atMost: limit) { $0 }
      #expect(outputs == [0, 1, 2])
    },
    "retrying(_:atMost:on:_:)": {
      for attempts in [Int.min, -1, 0, 1] {
        await #expect(throws: Failure.self) { try await retrying(atMost: attempts) { throw Failure() } }
      }
    },
  ]

  private static var pairs: [(Duration, Duration)] { durations.flatMap { one in durations.map { (one, $0) } } }

  @MainActor
  private static func shutDown(_ timeout: Duration) async {
    let tree = Tree(
      root: Router(interactor: Interactor()), configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    await tree.shutdown(timeout: timeout)
  }

  // MARK: RIBsLists

  private static let windows: [Range<Int>] = [.min ..< .max, .min ..< -1, -1..<0, 0..<1, 0 ..< .max]

  private static let lists: [String: Probe] = [
    "ChildList.setWindow(_:towards:)": onTree(with: [windows]) { root, windows in
      let list = ChildList<SupervisedModel>(of: root) { _, model in
        SupervisedRouter(model.id, .never, SupervisedWorld())
      }
      try list.update([SupervisedModel(id: "a"), SupervisedModel(id: "b")])
      for window in windows { for end in [ListEnd.tail, .head] { list.setWindow(window, towards: end) } }
    },
    "Pager.setWindow(_:towards:)": onTree(with: [windows]) { root, windows in
      let pager = Pager<Int>(of: root.interactor) { page in page.complete([1], isLast: false) }
      for window in windows { for end in [ListEnd.tail, .head] { pager.setWindow(window, towards: end) } }
    },
    "Pager.init(of:leading:fileID:line:load:)": onTree(with: [-Double.infinity, -1, 0, .nan, .infinity]) {
      root, leading in
      let pager = Pager<Int>(of: root.interactor, leading: leading) { page in page.complete([1], isLast: true) }
      pager.setWindow(0..<1, towards: .tail)
    },
    "PacedPresenter.init(of:framesPerSecond:fileID:line:show:)": onTree(with: numbers) { root, rate in
      PacedPresenter<Int>(of: root.interactor, framesPerSecond: rate) { _ in }.present(1)
    },
  ]

  // MARK: RIBsStore

  private static let owner = TreeOwner(address: "here")
  private static let key = TreeKey(kind: "order", id: "1")

  private static func makeDirectory(
    _ configuration: DirectoryConfiguration = DirectoryConfiguration(), schema: Int = 1
  ) -> TreeDirectory<Int, Router<Interactor>> {
    TreeDirectory("order", in: MemoryStore(), schema: schema, configuration: configuration) { (_: Int) in
      Router(interactor: Interactor())
    }
  }

  private static func runDirectory(_ set: (inout DirectoryConfiguration) -> Void) async throws {
    // Trees that end at once are not idle long enough to be called.
    var configuration = DirectoryConfiguration(address: "here")
    set(&configuration)
    let directory = makeDirectory(configuration)
    let running = Task { await directory.run() }
    try await directory.perform(on: 1) { _ in }
    running.cancel()
    await running.value
    await directory.shutdown()
  }

  private static func runDirectories<Value: Comparable & Sendable>(
    with setting: any WritableKeyPath<DirectoryConfiguration, Value> & Sendable, of values: [Value],
    atLeast least: Value
  ) -> Probe {
    each(values) { value in
      try await runDirectory { configuration in
        configuration[keyPath: setting] = value
        #expect(configuration[keyPath: setting] >= least)
      }
    }
  }

  private static func onDirectory(
    _ body: @escaping @Sendable (TreeDirectory<Int, Router<Interactor>>, Duration) async throws -> Void
  ) -> Probe {
    {
      let directory = makeDirectory()
      for duration in durations { try await body(directory, duration) }
      await directory.shutdown()
    }
  }

  private final class Connection {}

  private static func connections(_ timeout: Duration, _ idleAfter: Duration) -> BlockingConnections<Connection> {
    BlockingConnections(
      timeout: timeout, idleAfter: idleAfter, timedOut: CancellationError(), closed: CancellationError(),
      failing: { _ in .final }, opening: { Connection() })
  }

  private static func onFiles<Value: Sendable>(
    with values: [Value], _ body: @escaping @Sendable (FileStore, Value) async throws -> Void
  ) -> Probe {
    {
      let folder = try TemporaryFolder()
      let store = try FileStore(directory: folder.path)
      for value in values { try await body(store, value) }
      await store.close()
    }
  }

  private static let stores: [String: Probe] = [
    "RateLimiter.take(_:rate:)": {
      let limiter = RateLimiter()
      for rate in [-Double.infinity, -1, 0, 1, .greatestFiniteMagnitude, .infinity, .nan] {
        for _ in 0..<3 { #expect(limiter.take("\(rate)", rate: rate) ?? .zero >= .zero) }
      }
    },
    "FollowerStreams.init(limit:limitByTree:heartbeat:beat:onCount:)": each(durations) { heartbeat in
      for limit in numbers {
        let streams = FollowerStreams<Int>(limit: limit, limitByTree: limit, heartbeat: heartbeat, beat: 0)
        #expect(streams.patience > .zero)
        let follower = try? streams.add("a", closing: {})
        #expect((follower == nil) == (limit < 1))
        let running = Task { await streams.run() }
        await Task.yield()
        running.cancel()
        await running.value
      }
    },
    "StoreHealth.init(patience:)": each(durations) { patience in
      let health = StoreHealth(patience: patience)
      _ = try await health.observing(MemoryStore()).contains(key)
      #expect(health.reasonNotReady == nil)
    },
    "StoreChoice.open(for:lease:database:sqlite:)": each(durations) { lease in
      _ = try await StoreChoice("postgres://a").open(for: "a", lease: lease) { _, timeout in
        #expect(timeout <= .seconds(4))
        return MemoryStore()
      }
    },
    "BlockingConnections.init(timeout:idleAfter:timedOut:closed:failing:opening:losing:)": each(durations) { timeout in
      for idleAfter in durations {
        let connections = connections(timeout, idleAfter)
        connections.addThreads(1)
        // Without a timeout, no call begins in time.
        let value = try? await connections.perform { _ in 7 }
        #expect(value == 7 || timeout <= .nanoseconds(1))
        await connections.close()
      }
    },
    "BlockingConnections.addThreads(_:)": {
      for count in numbers where count < .max {
        let connections = connections(.seconds(4), .seconds(4))
        connections.addThreads(count)
        await connections.close()
      }
    },
    "GroupCommit.init(limit:cause:commit:)": each(numbers) { limit in
      let commits = GroupCommit<Int, Int>(limit: limit) { entries, answer in Task { answer(.success(entries)) } }
      let value = try await withCheckedThrowingContinuation { continuation in
        commits.append(7) { continuation.resume(with: $0) }
      }
      #expect(value == 7)
    },
    "JSONFields.Kind.integer(_:)": {
      let fields = try JSONFields(#"{"a":7}"#.utf8, ["a": .integer(Int.min ... .max)])
      #expect(fields.integer("a") == 7)
    },
    "JSONFields.Kind.number(_:)": {
      let fields = try JSONFields(#"{"a":7}"#.utf8, ["a": .number(-Double.infinity ... .infinity)])
      #expect(fields.number("a") == 7)
    },
    "withTimeLimit(_:_:)": each(durations) { limit in _ = try await withTimeLimit(limit) {} },
    "TreeDirectory.perform(on:answering:timeout:fileID:line:_:)": onDirectory { directory, timeout in
      do { try await directory.perform(on: 1, timeout: timeout) { _ in } } catch is TreeUnanswered {}
    },
    "TreeDirectory.perform(onExisting:answering:timeout:fileID:line:_:)": onDirectory { directory, timeout in
      do { _ = try await directory.perform(onExisting: 1, timeout: timeout) { _ in } } catch is TreeUnanswered {}
    },
    "TreeDirectory.remove(_:timeout:)": onDirectory { directory, timeout in
      do { try await directory.remove(1, timeout: timeout) } catch is TreeUnanswered {}
    },
    "DirectoryConfiguration.idleAfter": each(durations) { time in try await runDirectory { $0.idleAfter = time } },
    "DirectoryConfiguration.interval": runDirectories(with: \.interval, of: durations, atLeast: .milliseconds(1)),
    "DirectoryConfiguration.lease": runDirectories(with: \.lease, of: durations, atLeast: .milliseconds(100)),
    "DirectoryConfiguration.limit": runDirectories(with: \.limit, of: numbers, atLeast: 1),
    "DirectoryConfiguration.quarantineAfter": runDirectories(with: \.quarantineAfter, of: numbers, atLeast: 2),
    "DirectoryConfiguration.opensAtOnce": runDirectories(with: \.opensAtOnce, of: numbers, atLeast: 1),
    "DirectoryConfiguration.callLimit": runDirectories(with: \.callLimit, of: numbers, atLeast: 1),
    "DirectoryConfiguration.memoryLimit": each(numbers) { number in
      try await runDirectory { configuration in
        configuration.memoryLimit = number
        #expect(configuration.memoryLimit ?? 0 >= 1)
      }
    },
    "DirectoryConfiguration.init(idleAfter:limit:interval:lease:address:backoff:quarantineAfter:opensAtOnce:callLimit:memoryLimit:clock:watchdog:)":
      {
        for duration in durations {
          for limit in numbers {
            let configuration = DirectoryConfiguration(
              idleAfter: duration, limit: limit, interval: duration, lease: duration, quarantineAfter: limit,
              opensAtOnce: limit, callLimit: limit, memoryLimit: limit)
            #expect(configuration.quarantineAfter >= 2 && configuration.opensAtOnce >= 1)
            #expect(configuration.callLimit >= 1 && configuration.memoryLimit ?? 0 >= 1)
            #expect(configuration.limit >= 1 && configuration.interval >= .milliseconds(1))
            #expect(configuration.lease >= .milliseconds(100) && configuration.idleAfter ?? .zero >= .zero)
          }
        }
      },
    "FileStore.claim(_:by:schema:)": onFiles(with: numbers) { store, schema in
      _ = try await store.claim(key, by: owner, schema: schema)
    },
    "FileStore.due(_:limit:schema:)": onFiles(with: numbers) { store, number in
      _ = try await store.due("order", limit: number, schema: number)
    },
    "FileStore.renew(_:for:)": onFiles(with: durations) { store, duration in
      _ = try await store.renew(owner, for: duration)
    },
    "MemoryStore.claim(_:by:schema:)": each(numbers) { schema in
      _ = try await MemoryStore().claim(key, by: owner, schema: schema)
    },
    "MemoryStore.due(_:limit:schema:)": each(numbers) { number in
      _ = try await MemoryStore().due("order", limit: number, schema: number)
    },
    "MemoryStore.renew(_:for:)": each(durations) { duration in
      _ = try await MemoryStore().renew(owner, for: duration)
    },
    "MemoryStore.revive(_:for:holding:)": each(durations) { duration in
      let store = MemoryStore()
      _ = try await store.renew(owner, for: .zero)
      _ = try await store.revive(owner, for: duration, holding: [key: .max])
    },
    "TreeDirectory.init(_:in:schema:coder:configuration:tree:onEvent:build:)": each(numbers) { schema in
      let directory = makeDirectory(schema: schema)
      try await directory.perform(on: 1) { _ in }
      await directory.shutdown()
    },
    "TreeDirectory.shutdown(timeout:)": each(durations) { timeout in
      let directory = makeDirectory()
      try await directory.perform(on: 1) { _ in }
      _ = await directory.shutdown(timeout: timeout)
    },
  ]

  // MARK: RIBsInspector

  /// Calls a closure with an inspector that has recorded a tree, and the path of the recording.
  private static func recorded(
    upTo bytes: Int = 1 << 20, _ body: @escaping @Sendable (Inspector, String) async throws -> Void
  ) -> Probe {
    {
      let folder = try TemporaryFolder()
      let path = folder.file("trees.ribs").path
      let inspector = try Inspector.start(
        recording: .file(path, upTo: bytes), directory: folder.file("sockets").path)
      let host = await makeHost(TreeConfiguration(leakDetection: .off, inspector: inspector))
      try await host.perform { root in root.attachChild(Router(interactor: Interactor())) }
      await host.shutdown()
      try await body(inspector, path)
      inspector.stop()
    }
  }

  private static func read(_ body: @escaping @Sendable (TreeRecording, InspectedTree.ID) throws -> Void) -> Probe {
    recorded { inspector, path in
      inspector.stop()
      let recording = try TreeRecording(contentsOf: path)
      try body(recording, try #require(recording.trees.first).id)
    }
  }

  /// Draws a tree down to each level.
  private static func draw(_ body: @escaping @Sendable (TreeSnapshot, Int) -> String) -> Probe {
    onHost { host in
      let snapshot = await host.snapshot()
      for depth in numbers { _ = body(snapshot, depth) }
    }
  }

  private static let inspector: [String: Probe] = [
    "InspectorClient.init(_:timeout:)": recorded { inspector, _ in
      let directory = URL(fileURLWithPath: inspector.socketPath).deletingLastPathComponent().path
      let process = try #require(try InspectedProcess.all(in: directory).first)
      for timeout in numbers { _ = try await InspectorClient(process, timeout: timeout).trees() }
    },
    "InspectorClient.init(socketPath:timeout:)": recorded { inspector, _ in
      for timeout in numbers {
        let client = InspectorClient(socketPath: inspector.socketPath, timeout: timeout)
        #expect(client.timeout >= 1)
        for try await _ in try await client.snapshots() {}
      }
    },
    "Recording.file(_:upTo:summaries:)": each(numbers) { bytes in
      try await recorded(upTo: bytes) { inspector, path in
        inspector.stop()
        let trees = try TreeRecording(contentsOf: path).trees
        #expect(trees.count == 1)
      }()
    },
    "TreeFold.snapshot(at:)": read { recording, id in
      try recording.forEachEvent(of: id) { _, fold in
        for time in durations { _ = fold.snapshot(at: time) }
        return true
      }
    },
    "TreeRecording.eventCount(of:upTo:)": read { recording, id in
      for time in durations { _ = try recording.eventCount(of: id, upTo: time) }
    },
    "TreeRecording.events(of:at:)": read { recording, id in
      for window in windows { _ = try recording.events(of: id, at: window) }
    },
    "TreeRecording.events(of:in:)": read { recording, id in
      for (one, other) in pairs where one <= other { _ = try recording.events(of: id, in: one...other) }
    },
    "TreeRecording.forEachEvent(of:after:_:)": read { recording, id in
      for number in numbers { try recording.forEachEvent(of: id, after: number) { _, _ in true } }
    },
    "TreeRecording.snapshot(of:after:)": read { recording, id in
      for number in numbers { _ = try recording.snapshot(of: id, after: number) }
    },
    "TreeRecording.snapshot(of:at:)": read { recording, id in
      for time in durations { _ = try recording.snapshot(of: id, at: time) }
    },
    "TreeSnapshot.dot(depth:)": draw { $0.dot(depth: $1) },
    "TreeSnapshot.html(title:depth:)": draw { $0.html(depth: $1) },
    "TreeSnapshot.json(depth:)": draw { $0.json(depth: $1) },
    "TreeSnapshot.markdown(depth:)": draw { $0.markdown(depth: $1) },
    "TreeSnapshot.mermaid(depth:)": draw { $0.mermaid(depth: $1) },
    "TreeSnapshot.rendered(as:depth:)": draw { $0.rendered(as: .text, depth: $1) },
    "TreeSnapshot.text(_:depth:)": draw { $0.text(depth: $1) },
  ]

  // MARK: RIBsTesting

  private static let testing: [String: Probe] = [
    "FaultyStore.Fault.isLate(by:)": each(durations) { duration in
      let clock = TestClock()
      let store = FaultyStore(MemoryStore(), clock: clock) { _ in .isLate(by: duration) }
      let renewal = Task { try await store.renew(owner, for: .seconds(1)) }
      if duration > .zero {
        await clock.waitForSleeper()
        clock.advance(by: Duration(attoseconds: .max))
      }
      _ = try await renewal.value
    },
    "FaultyStore.init(_:seed:rate:)": {
      for rate in [-Double.infinity, -1, 0, 1, .nan, .infinity] {
        _ = try? await FaultyStore(MemoryStore(), seed: .max, rate: rate).renew(owner, for: .zero)
      }
    },
    "TestClock.Instant.advanced(by:)": {
      for (one, other) in pairs {
        let instant = TestClock().now.advanced(by: one)
        _ = instant.duration(to: instant.advanced(by: other))
        _ = instant.duration(to: TestClock().now.advanced(by: other))
      }
    },
    "TestClock.advance(by:fileID:filePath:line:column:)": {
      for (one, other) in pairs {
        let failures = failures {
          let clock = TestClock()
          clock.advance(by: one)
          clock.advance(by: other)
        }
        #expect(failures == [one, other].count { $0 < .zero })
      }
    },
    "TestClock.sleep(until:tolerance:)": {
      for (deadline, tolerance) in pairs {
        let clock = TestClock()
        async let sleep: Void = clock.sleep(until: clock.now.advanced(by: deadline), tolerance: tolerance)
        if deadline > .zero { await clock.waitForSleeper() }
        clock.advance(by: Duration(attoseconds: .max))
        try await sleep
      }
    },
    "TestTree.advance(by:fileID:filePath:line:column:)": each(durations) { duration in
      let failures = failures {
        let test = TestTree(recording: [])
        test.launch(Router(interactor: Interactor()))
        test.advance(by: duration)
        test.finish()
      }
      #expect(failures == (duration < .zero ? 1 : 0))
    },
    "TestTree.limit": each(numbers) { limit in
      withFailureHandler({ _ in }) {
        let test = TestTree(recording: [])
        test.limit = limit
        #expect(test.limit >= 1)
        test.launch(Router(interactor: Interactor()))
        test.finish()
      }
    },
  ]

  /// How many failures the test kit reports.
  private static func failures(_ body: () -> Void) -> Int {
    let failures = Shared(0)
    withFailureHandler({ _ in failures.change { $0 += 1 } }, body)
    return failures.value
  }
}

private struct NoSaving: TreeSaving {
  func save(_ saved: SavedTree) async throws {}
}

/// A clock that records how long it sleeps.
private final class CountingClock: Clock, Sendable {
  private let sleeps = Shared<[Duration]>([])
  private let first = AsyncStream<Void>.makeStream()

  /// The time does not pass, so that the deadlines are exact.
  let now = ContinuousClock.now
  var minimumResolution: Duration { .nanoseconds(1) }
  var shortest: Duration { sleeps.value.min() ?? .zero }

  func waitForSleep() async { for await _ in first.stream { return } }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let duration = now.duration(to: deadline)
    sleeps.change { $0.append(duration) }
    first.continuation.yield()
    try await ContinuousClock().sleep(for: duration)
  }
}
