public import RIBs

/// A tree of RIBs that does nothing unless a test says so.
///
/// Everything the tree starts waits until the test lets it run with `settle()` or moves the clock, and runs on the test's
/// own thread, one thing after the other, in the same order each time. Nothing is waited for, so tests are synchronous,
/// need no actor, and never sleep:
///
/// ```swift
/// let test = TestTree()
/// test.launch(FareQuoteBuilder(dependency: Dependencies(clock: test.clock)).build())
/// test.advance(by: .seconds(2))
/// test.expect("""
///   FareQuote attached
///   FareQuote active
///   FareQuote loaded
///   FareQuote task reload started
///   2.0 seconds later
///   FareQuote task reload ended
///   """)
/// test.finish()
/// ```
///
/// What the tree did stands in the `transcript`, and fails the test unless it is expected, misuse included. `finish()`
/// ends the tree and fails if anything outlives it.
///
/// A `TestTree` drives bound work (`task` and `run`), the asynchronous functions and task groups it calls, and actors with
/// no executor of their own. What it can't drive: tasks that are not bound (`Task { }` and `Task.detached`), the main
/// actor and actors with executors, dispatch queues, and clocks other than a `TestClock`. Bound work that waits for one
/// of these comes back at a time of its own: a test that runs into that fails and says so, unless it waits with
/// `settle(until:)`.
public final class TestTree {
  /// The tree's clock. Hand it to all that sleeps or measures.
  public let clock: TestClock

  /// What happened and was not expected yet.
  public let transcript: Transcript

  /// The tree, from its launch to `finish()`: for what a test asks of the tree itself, such as its `snapshot()` or an early
  /// `end()`.
  public internal(set) var tree: Tree?

  /// How many things the tree may do in a row before it is said that it does not come to rest: 100,000 at first.
  public var limit: Int {
    get { driver.limit }
    set { driver.limit = newValue }
  }

  let driver = Driver()
  let misuses = Reports<Misuse>()
  let leaks = Reports<Leak>()
  /// Where the test began.
  let beginning: SourcePlace
  var root: (any Routing)?
  var subscription: (any Disposable)?
  var isFinished = false
  /// Whether it has been said that the tree does not come to rest: it won't later either.
  private var isKnownRestless = false

  /// Prepares a tree.
  ///
  /// - Parameters:
  ///   - contents: what the transcript holds, and thereby what a test has to expect.
  ///   - clock: the tree's clock; another tree's, if both are to live in the same time.
  ///   - fileID: leave out; says where a failure is shown that has no better place, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public init(
    recording contents: Transcript.Contents = .everything, clock: TestClock = TestClock(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.clock = clock
    transcript = Transcript(contents: contents, clock: clock)
    beginning = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    clock.add(driver)
  }

  deinit {
    clock.remove(driver)
    guard tree != nil, !isFinished else { return }
    FailureReporting.report(
      "The test is over, and its tree was not finished.",
      advice: "Call finish() last, so that what outlives the tree is found.", at: beginning)
  }

  /// Launches a router as the root of the tree.
  ///
  /// - Parameters:
  ///   - root: a router, as its builder returns it, or one built by hand around an `InteractableDouble`.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  /// - Returns: the router.
  @discardableResult
  public func launch<Root>(
    _ root: Root, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Root {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard tree == nil else {
      fail("A second router was launched.", "A test tree has one root: make another TestTree.", at: place)
      return root
    }
    guard let router = (root as? RouterNode) ?? (root as? any Routing) else {
      fail("\(type(of: root)) can't be launched: it is no router.", "Hand over a router of the RIB.", at: place)
      return root
    }
    var configuration = TreeConfiguration(
      clock: clock, leakDetection: .after(.seconds(5)),
      // What a test sets for its tasks, and the test that an expectation belongs to, hold for all work.
      workContext: .inherited, onMisuse: { [misuses] in misuses.add($0) }, onLeak: { [leaks] in leaks.add($0) },
      // Each is a line of the transcript.
      onFailure: { _ in })
    configuration.executors = driver.executors
    let tree = Tree(root: router, configuration: configuration)
    self.tree = tree
    self.root = router
    subscription = tree.events.subscribe(onNext: { [transcript] event in transcript.write(event) })
    _ = tree.launch(on: driver.actor)
    return root
  }

  /// Launches an interactor alone, under a router that does nothing.
  ///
  /// The RIB is named after the interactor. The interactor's own `router` is what the test sets it to, such as a
  /// `RoutingDouble`.
  ///
  /// - Parameters:
  ///   - interactor: the interactor.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  /// - Returns: the router.
  @discardableResult
  public func launch<Subject: Interactor>(
    interactor: Subject, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Router<Subject> {
    launch(Router(interactor: interactor), fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Launches a worker alone: starts it on an interactor that does nothing, and is active.
  ///
  /// - Parameters:
  ///   - worker: the worker.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  /// - Returns: the interactor, which can be deactivated and activated again. Its RIB is named `Scope`.
  @discardableResult
  public func launch(
    worker: any Working, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Interactor {
    let interactor = ScopeInteractor()
    launch(interactor: interactor, fileID: fileID, filePath: filePath, line: line, column: column)
    worker.start(interactor)
    return interactor
  }

  /// Lets the tree do all it can do now, until nothing is left but what waits: for the clock, for a value, for an answer.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    advance(by: .zero, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Moves the clock on, and lets the tree do what it does at each moment until then.
  ///
  /// - Parameters:
  ///   - duration: how far to move the clock.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    clock.advance(by: duration)
    checkTroubles(
      [.restless, .disturbed], at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Lets the tree do all it can do, and waits for what it can't be made to do, until a condition holds.
  ///
  /// This is for work that waits for something the test does not drive: an unbound task, another actor's executor, a
  /// dispatch queue, a system clock. The order in which such work comes back may differ from run to run.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  ///   - condition: looked at whenever the tree has come to rest. There is no time limit; it fails at once when no bound
  ///     work is left that could make it hold.
  public nonisolated(nonsending) func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    until condition: () -> Bool
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    while true {
      clock.advance(by: .zero)
      checkTroubles([.restless], at: place)
      if condition() { return }
      guard !runningWork.isEmpty else {
        return fail(
          "What was waited for did not happen, and no bound work is left that could make it happen.",
          "Look at what happened so far:\n\(listed(transcript.lines))", at: place)
      }
      guard await driver.waitForJob() else { return }
    }
  }
}

extension TestTree {
  /// The bound work that has not ended, by path, file and line.
  public var runningWork: [String] {
    guard let tree else { return [] }
    let nodes = tree.snapshot().nodes
    var paths: [String] = []
    var work: [String] = []
    for node in nodes {
      let path = (node.parent.map { paths[$0] + "/" } ?? "") + node.name
      paths.append(path)
      work += node.tasks.map { "\(path): \($0)" }
    }
    return work + tree.unfinishedWork.unfinishedTasks.map { "\($0.path): \($0.work)" }
  }

  /// The tree as it stands: each RIB by its name, below and behind its parent.
  public var outline: String {
    var depths: [Int] = []
    var lines: [String] = []
    for node in tree?.snapshot().nodes ?? [] {
      let depth = node.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      lines.append(String(repeating: "  ", count: depth) + node.name)
    }
    return lines.joined(separator: "\n")
  }

  func fail(_ message: String, _ advice: String, at place: SourcePlace) {
    FailureReporting.report(message, advice: advice, at: place)
  }

  func listed(_ lines: [String]) -> String { lines.map { "    " + $0 }.joined(separator: "\n") }

  /// Fails if something has kept the test from taking the same course each time.
  func checkTroubles(_ troubles: Set<JobQueue.Trouble>, at place: SourcePlace) {
    let found = driver.takeTroubles().intersection(troubles)
    if found.contains(.restless), !isKnownRestless {
      isKnownRestless = true
      fail(
        "The tree does not come to rest: it did \(limit) things, and more are left.",
        "Let the work that goes round and round sleep on the test's clock, or end. It is some of this:\n"
          + listed(runningWork), at: place)
    }
    if found.contains(.disturbed) {
      fail(
        "Work came back from a place that the test does not drive, so the next run may take another course.",
        "Hand a TestClock or a double to what waits for a system clock, a dispatch queue, an unbound task or another "
          + "actor; or wait for it with settle(until:).", at: place)
    }
  }
}

/// What a worker or a workflow is started on that is tested alone.
final class ScopeInteractor: Interactor {}
