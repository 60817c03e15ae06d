// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs
public import RIBsStore

/// A tree of RIBs that runs only when a test lets it.
///
/// All work of the tree is enqueued until the test calls `settle()` or advances the clock. It then runs on the test's
/// thread, one job at a time, in a deterministic order. Tests are synchronous, need no actor, and never sleep:
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
/// The events of the tree are recorded in the `transcript`. A recorded line that is not expected fails the test,
/// misuse included. `finish()` ends the tree and fails the test if anything outlives it.
///
/// A `TestTree` drives bound work (`task` and `run`), the asynchronous functions and task groups it calls, and actors
/// without a custom executor. It can't drive unbound tasks (`Task { }` and `Task.detached`), the main actor, actors
/// with custom executors, dispatch queues, and clocks other than a `TestClock`. Bound work that waits for one of
/// these resumes at an unpredictable time: the test fails with a message unless it waits with `settle(until:)`.
public final class TestTree {
  /// The tree's clock. Pass it to all code that sleeps or measures time.
  public let clock: TestClock

  /// The lines recorded since the last expectation.
  public let transcript: Transcript

  /// The tree, from its launch to `finish()`. Use it for calls such as `snapshot()` or an early `end()`.
  public internal(set) var tree: Tree?

  /// The number of jobs after which a run is reported as never ending, at least one. Defaults to 100,000.
  public var limit: Int {
    get { driver.limit }
    set { driver.limit = newValue }
  }

  /// The seed of the tree's random numbers, which lengthen the pauses before restarts. Set it before the launch.
  public var randomSeed: UInt64 = 0

  let driver: Driver
  let misuses = Reports<Misuse>()
  let leaks = Reports<TreeEvent.Leak>()
  /// The place where the test tree was created.
  let beginning: SourcePlace
  var root: (any Routing)?
  var subscription: (any Disposable)?
  var isFinished = false
  /// The saved tree to restore at the launch.
  private var restoring: (saved: SavedTree, coder: any SavedTree.Coder)?
  /// The inspector of the test trees of a task.
  @TaskLocal package static var inspector: (any TreeObserver)?

  /// Builds the root, to restore a copy of the tree.
  var build: (() -> Any)?
  /// What the tree has saved, if its root can be built again.
  package let saves = SaveRecorder()
  /// Whether an unsettled tree was reported. It is reported once.
  private var hasReportedUnsettled = false

  /// Creates a test tree without a root.
  ///
  /// - Parameters:
  ///   - contents: the kinds of lines to record, which the test has to expect.
  ///   - clock: the tree's clock. Pass another tree's clock to share its time.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public init(
    recording contents: Transcript.Contents = .everything, clock: TestClock = TestClock(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.clock = clock
    driver = Driver(clock)
    transcript = Transcript(contents: contents, clock: clock)
    beginning = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    clock.add(driver)
  }

  /// Creates a test tree whose launch restores a saved tree.
  ///
  /// ```swift
  /// let restored = TestTree(restoring: test.tree?.save())
  /// restored.launch(FareQuoteBuilder(dependency: Dependencies(clock: restored.clock)).build())
  /// ```
  ///
  /// If the saved tree can't be restored, the launch fails the test.
  ///
  /// - Parameters:
  ///   - saved: the saved tree; nil to begin anew.
  ///   - coder: decodes the states and routes. Defaults to JSON.
  ///   - contents: the kinds of lines to record, which the test has to expect.
  ///   - clock: the tree's clock. Pass another tree's clock to share its time.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public convenience init(
    restoring saved: SavedTree?, coder: some SavedTree.Coder = JSONStateCoder(),
    recording contents: Transcript.Contents = .everything, clock: TestClock = TestClock(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      recording: contents, clock: clock, fileID: fileID, filePath: filePath, line: line, column: column)
    restoring = saved.map { ($0, coder) }
  }

  deinit {
    clock.remove(driver)
    guard tree != nil, !isFinished else { return }
    FailureReporting.report(
      "The test has ended without finishing its tree.",
      advice: "Call finish() last, to find what outlives the tree.", at: beginning)
  }

  /// Launches a router as the root of the tree.
  ///
  /// - Parameters:
  ///   - root: a router, as returned by its builder or built by hand around an `InteractableDouble`.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  /// - Returns: the router.
  @discardableResult
  public func launch<Root>(
    _ root: Root, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Root {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard tree == nil else {
      fail("A second router was launched.", "A test tree has one root: create another TestTree.", at: place)
      return root
    }
    guard let router = (root as? RouterNode) ?? (root as? any Routing) else {
      fail("\(type(of: root)) can't be launched: it is not a router.", "Pass the RIB's router.", at: place)
      return root
    }
    var configuration = TreeConfiguration(
      clock: clock, wallClock: clock.wallClock, leakDetection: .after(.seconds(5)),
      // All work inherits the test's task-local values, and the test that expectations belong to.
      workContext: .inherited, randomSeed: randomSeed, onMisuse: { [misuses] in misuses.add($0) },
      onLeak: { [leaks] in leaks.add($0) },
      // Each failure is a line of the transcript.
      onFailure: { _ in })
    configuration.inspector = TestTree.inspector
    configuration.executors = driver.executors
    if build != nil { configuration.saving = saves }
    let tree = Tree(root: router, configuration: configuration)
    self.tree = tree
    self.root = router
    subscription = tree.events.subscribe(onNext: { [transcript] event in transcript.write(event) })
    var failure: SavedTree.RestoreError?
    if let restoring {
      do { try tree.restore(restoring.saved.decoded(by: restoring.coder)) } catch { failure = error }
    }
    if failure == nil {
      _ = tree.launch(on: driver.actor)
      failure = tree.restoreFailure
    }
    // A restored tree saves nothing until it changes.
    if failure == nil, restoring != nil { saves.last = tree.save() }
    if let failure {
      fail(
        "The tree was not restored: \(failure)",
        "Correct what is saved: the names in savedChildren, the states and their versions.", at: place)
    }
    return root
  }

  /// Builds a router and launches it as the root of the tree, which can be built again.
  ///
  /// `finish()` then also checks that the tree survives a restart, if a RIB of it has something to save; see
  /// `expectSurvivesRestart()`. The tree is saved while it runs, so `checkpoint()` waits for a turn of it.
  ///
  /// - Parameters:
  ///   - build: creates the root. Called again for a copy of the tree, so it must create what the root depends on anew.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  /// - Returns: the router.
  @discardableResult
  public func launch<Root>(
    building build: @escaping () -> Root, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Root {
    self.build = build
    return launch(build(), fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Launches an interactor alone, under a router that does nothing.
  ///
  /// The RIB is named after the interactor. Set the interactor's own `router` to a double if it needs one.
  ///
  /// - Parameters:
  ///   - interactor: the interactor.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  /// - Returns: the router.
  @discardableResult
  public func launch<Subject: Interactor>(
    interactor: Subject, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Router<Subject> {
    launch(Router(interactor: interactor), fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Launches a worker alone, on an active interactor that does nothing.
  ///
  /// - Parameters:
  ///   - worker: the worker.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
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

  /// Runs the tree until it only waits: for the clock, a value or an answer.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    advance(by: .zero, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Advances the clock, and runs the tree at each instant until then.
  ///
  /// - Parameters:
  ///   - duration: how far to advance the clock.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    clock.advance(by: duration, fileID: fileID, filePath: filePath, line: line, column: column)
    checkProblems(
      [.unsettled, .undriven], at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Runs the tree, and waits for work that the test does not drive, until a condition holds.
  ///
  /// Use it for work that waits for an unbound task, another actor's executor, a dispatch queue or a system clock.
  /// The order in which such work resumes may differ from run to run.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  ///   - condition: evaluated whenever the tree is idle, and every ten milliseconds. There is no timeout. The test fails
  ///     at once when no bound work is left that could change the result, or when the tree does not settle.
  public nonisolated(nonsending) func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    until condition: () -> Bool
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    while true {
      clock.advance(by: .zero)
      checkProblems([.unsettled], at: place)
      if condition() || hasReportedUnsettled { return }
      guard !runningWork.isEmpty else {
        return fail(
          "The condition is false, and no bound work is left that could change it.",
          "What happened so far:\n\(listed(transcript.lines))", at: place)
      }
      guard await driver.waitForJob() else { return }
    }
  }
}

extension TestTree {
  /// The bound work that has not ended, each by path, file and line.
  public var runningWork: [String] {
    guard let tree else { return [] }
    let nodes = tree.snapshot().nodes
    var paths: [String] = []
    var work: [String] = []
    for node in nodes {
      let path = (node.parent.map { paths[$0] + "/" } ?? "") + node.title
      paths.append(path)
      work += node.tasks.map { "\(path): \($0)" }
    }
    return work + tree.unfinishedWork.unfinishedTasks.map { "\($0.path): \($0.work)" }
  }

  /// The RIBs of the tree by name and label, one per line, each indented below its parent.
  public var outline: String {
    var depths: [Int] = []
    var lines: [String] = []
    for node in tree?.snapshot().nodes ?? [] {
      let depth = node.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      lines.append(String(repeating: "  ", count: depth) + node.title)
    }
    return lines.joined(separator: "\n")
  }

  func fail(_ message: String, _ advice: String, at place: SourcePlace) {
    FailureReporting.report(message, advice: advice, at: place)
  }

  func listed(_ lines: [String]) -> String { lines.map { "    " + $0 }.joined(separator: "\n") }

  /// Fails the test if the driver found one of these problems.
  func checkProblems(_ problems: Set<JobQueue.Problem>, at place: SourcePlace) {
    let found = driver.takeProblems().intersection(problems)
    if found.contains(.unsettled), !hasReportedUnsettled {
      hasReportedUnsettled = true
      fail(
        "The tree does not settle: it ran \(limit) jobs, and more are left.",
        "Let the looping work sleep on the test's clock, or end. Running work:\n"
          + listed(runningWork), at: place)
    }
    if found.contains(.undriven) {
      fail(
        "Work resumed from code that the test does not drive, so its order may differ from run to run.",
        "Pass a TestClock or a double to code that waits for a system clock, a dispatch queue, an unbound task or "
          + "another actor; or wait for it with settle(until:).", at: place)
    }
  }
}

/// The interactor under which a worker or a workflow is tested alone.
final class ScopeInteractor: Interactor {}
