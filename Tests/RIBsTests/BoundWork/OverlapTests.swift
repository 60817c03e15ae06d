import RIBs
import Testing

@Suite("Work with a name") @MainActor
struct OverlapTests {
  /// An interactor that writes down what reaches it.
  private final class Desk: Interactor {
    var lines: [String] = []
    var onFail: () -> Void = {}

    override func didFail(_ error: any Error) {
      lines.append("failed \(error)")
      onFail()
    }
  }

  private struct Jam: Error {}

  private let desk = Desk()
  private let tree: Tree
  private let router: Router<Interactor>

  init() {
    router = Router(interactor: desk)
    tree = Tree(root: router)
    tree.launch()
  }

  /// Something to wait at, until it is opened.
  private struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func pass() async { for await _ in stream {} }
  }

  /// Waits until no work is running.
  private func settle() async {
    while !tree.snapshot().nodes[0].tasks.isEmpty { await Task.yield() }
  }

  @Test("is started once by 1,000 requests, when it ignores requests while it runs, and again when it has ended")
  func ignoring() async {
    let gate = Gate()
    let desk = desk
    func tap() -> Admission {
      desk.task("reload", overlap: .ignoreWhileRunning) {
        desk.lines.append("call")
        await gate.pass()
      }
    }
    let verdicts = (0..<1_000).map { _ in tap() }
    #expect(verdicts == [.started] + Array(repeating: .ignored, count: 999))
    gate.open()
    await settle()
    #expect(desk.lines == ["call"])
    #expect(tap() == .started)
    await settle()
    #expect(desk.lines == ["call", "call"])
  }

  @Test("delivers the last result only, when each request replaces the one before")
  func replacing() async {
    let gate = Gate()
    let desk = desk
    let verdicts = (0..<100).map { number in
      desk.run(
        "search", overlap: .cancelPrevious,
        { () async -> Int in
          await gate.pass()
          return number
        }
      ) { desk.lines.append("found \($0)") }
    }
    #expect(verdicts == [.started] + Array(repeating: .replaced, count: 99))
    gate.open()
    await settle()
    #expect(desk.lines == ["found 99"])
  }

  @Test("runs in order, one at a time, when requests wait")
  func waiting() async {
    let desk = desk
    var running = 0
    let verdicts = (0..<1_000).map { number in
      desk.task("send", overlap: .enqueue) {
        running += 1
        #expect(running == 1)
        await Task.yield()
        desk.lines.append("\(number)")
        running -= 1
      }
    }
    #expect(verdicts == [.started] + Array(repeating: .queued, count: 999))
    await settle()
    #expect(desk.lines == (0..<1_000).map(String.init))
  }

  @Test("runs beside what runs already, when it is concurrent; another name is another line")
  func concurrent() async {
    let gate = Gate()
    let desk = desk
    for _ in 0..<3 { #expect(desk.task("look", overlap: .concurrent) { await gate.pass() } == .started) }
    #expect(desk.task("other", overlap: .ignoreWhileRunning) { await gate.pass() } == .started)
    #expect(desk.run("look", overlap: .ignoreWhileRunning, { 1 }) { _ in } == .ignored)
    #expect(tree.snapshot().nodes[0].tasks.count == 4)
    #expect(tree.snapshot().nodes[0].tasks.allSatisfy { $0.contains("OverlapTests.swift:") })
    gate.open()
    await settle()
    #expect(desk.run("look", overlap: .ignoreWhileRunning, { 1 }) { _ in } == .started)
    await settle()
  }

  @Test("goes on with what waits after a failure, and tells each failure")
  func failing() async {
    let desk = desk
    for number in 0..<3 {
      desk.task("send", overlap: .enqueue) {
        desk.lines.append("\(number)")
        throw Jam()
      }
    }
    await settle()
    #expect(desk.lines == ["0", "failed Jam()", "1", "failed Jam()", "2", "failed Jam()"])
  }

  @Test("tells the failure of what was replaced to the tree's observers alone")
  func failingWhenReplaced() async {
    var failures = 0
    let subscription = tree.events.subscribe(onNext: { if $0.kind == .taskFailed { failures += 1 } })
    let gate = Gate()
    let desk = desk
    desk.task("search", overlap: .cancelPrevious) {
      await gate.pass()
      throw Jam()
    }
    #expect(desk.task("search", overlap: .cancelPrevious) { desk.lines.append("done") } == .replaced)
    gate.open()
    await settle()
    #expect(desk.lines == ["done"])
    #expect(failures == 1)
    subscription.dispose()
  }

  @Test("never begins when the scope ends before its turn, and lets go of what it captured")
  func ending() async {
    final class Load {}
    var load: Load? = Load()
    weak let watched = load
    let desk = desk
    desk.task("send", overlap: .enqueue) { try await Task.sleep(for: .seconds(3_600)) }
    let verdict = desk.task("send", overlap: .enqueue) { [load] in desk.lines.append("\(String(describing: load))") }
    #expect(verdict == .queued)
    load = nil
    #expect(watched != nil)
    #expect(await tree.shutdown().stuck == [])
    #expect(watched == nil)
    #expect(desk.lines == [])
    #expect(withMisuseHandler({ _ in }) { desk.task("send", overlap: .enqueue) {} } == .inactive)
  }

  @Test("is cancelled when an observer of its start replaces it")
  func replacedWhenStarted() async {
    let desk = desk
    var starts = 0
    let subscription = tree.events.subscribe(onNext: { event in
      guard event.kind == .taskStarted else { return }
      starts += 1
      if starts == 1 { desk.task("search", overlap: .cancelPrevious) { desk.lines.append("new \(Task.isCancelled)") } }
    })
    desk.task("search", overlap: .cancelPrevious) { desk.lines.append("old \(Task.isCancelled)") }
    await settle()
    #expect(desk.lines.sorted() == ["new false", "old true"])
    subscription.dispose()
  }

  @Test("may be asked for again by the one who is told of its failure or its result, also when that was ignored before")
  func again() async {
    let desk = desk
    desk.onFail = { desk.lines.append("\(desk.task("reload", overlap: .ignoreWhileRunning) {})") }
    desk.task("reload", overlap: .ignoreWhileRunning) { throw Jam() }
    await settle()
    desk.run("reload", overlap: .ignoreWhileRunning, { 1 }) { _ in
      desk.lines.append("\(desk.task("reload", overlap: .cancelPrevious) {})")
    }
    await settle()
    #expect(desk.lines == ["failed Jam()", "started", "started"])
  }

  @Test("waits also for the result of what came before to be delivered, or its failure to be told")
  func inOrder() async {
    let desk = desk
    let subscription = tree.events.subscribe(onNext: { desk.lines.append($0.kind.description) })
    desk.onFail = { desk.lines.append("\(desk.task("send", overlap: .ignoreWhileRunning) {})") }
    desk.run("send", overlap: .enqueue, { 1 }) { desk.lines.append("sent \($0)") }
    desk.task("send", overlap: .enqueue) { throw Jam() }
    desk.run("send", overlap: .enqueue, { 3 }) { desk.lines.append("sent \($0)") }
    await settle()
    subscription.dispose()
    #expect(
      desk.lines == [
        "taskStarted", "taskEnded", "sent 1", "taskStarted", "taskFailed", "failed Jam()", "ignored", "taskStarted",
        "taskEnded", "sent 3",
      ])
  }

  @Test("is not delivered when an observer of its end replaces it")
  func replacedWhenEnded() async {
    let desk = desk
    var ends = 0
    let subscription = tree.events.subscribe(onNext: { event in
      guard event.kind == .taskEnded else { return }
      ends += 1
      if ends == 1 { desk.run("search", overlap: .cancelPrevious, { 2 }) { desk.lines.append("found \($0)") } }
    })
    desk.run("search", overlap: .cancelPrevious, { 1 }) { desk.lines.append("found \($0)") }
    while ends < 2 { await Task.yield() }
    #expect(desk.lines == ["found 2"])
    subscription.dispose()
  }
}
