internal import RIBs
internal import RIBsInspector

/// Tells one order as it happens.
final class OrderTelling {
  private let trip: Trip
  private let seed: UInt64
  private let fault: Fault?
  private let showsTree: Bool
  private let style: TextStyle
  private let write: (String) -> Void
  private let clock = VirtualClock()
  /// Launched by `run`.
  private var tree: Tree?
  /// The time on the last line: a line shows its own only if it is another.
  private var lastTime = ""
  private var endsWithBlankLine = true

  /// - Parameters:
  ///   - trip: the order.
  ///   - seed: what the simulation follows from.
  ///   - fault: what goes wrong.
  ///   - showsTree: whether the tree is drawn at each stage.
  ///   - style: how things are set off from each other.
  ///   - write: receives the lines, each with a newline at its end.
  init(
    _ trip: Trip, seed: UInt64, fault: Fault? = nil, showsTree: Bool, style: TextStyle,
    write: @escaping (String) -> Void
  ) {
    self.trip = trip
    self.seed = seed
    self.fault = fault
    self.showsTree = showsTree
    self.style = style
    self.write = write
  }

  /// Runs the order to its end, or until the calling task is cancelled.
  @MainActor
  func run() async -> OrderReport {
    let census = Census()
    let ledger = RequestLedger()
    let clock = clock
    let end = OrderEnd(clock: clock)
    let simulation = OrderSimulation(trip: trip, seed: seed, fault: fault, clock: clock, ledger: ledger)
    let services = OrderServices(ReliableServices(OrderServices(simulation), clock: clock))
    let component = AppComponent(
      rider: simulation.rider, services: services, clock: clock, narrator: Narrator { self.tell($0) }, census: census,
      report: { outcome in end.report(outcome) })
    do {
      let tree = Tree(
        root: RootBuilder(dependency: component).build(),
        configuration: TreeConfiguration(clock: clock, leakDetection: .off) { event in
          ledger.record(event)
          clock.record(event)
        })
      self.tree = tree
      let subscription = tree.events.subscribe(onNext: { event in self.tell(event) })
      tree.launch()
      await OrderRun.letTimePass(clock, until: end) { clock.advance() }
      await tree.shutdown()
      subscription.dispose()
      self.tree = nil
    }
    return OrderReport(
      outcome: end.outcome ?? .cancelled, requests: ledger.requests, requestsFromInactive: ledger.requestsFromInactive,
      leaked: census.living)
  }

  private func tell(_ narration: Narration) {
    switch narration {
    case .heading(let text):
      blankLine()
      lastTime = ""
      line(style.heading("● \(text)"))
    case .line(let text): line("  › \(text.printable)")
    case .stage:
      guard showsTree, let tree else { return }
      blankLine()
      for line in tree.snapshot().text().split(separator: "\n") { write("        \(style.faint(String(line)))\n") }
      endsWithBlankLine = false
      blankLine()
    }
  }

  private func tell(_ event: TreeEvent) {
    let indentation = String(repeating: "  ", count: max(0, event.path.components.count - 1))
    let name = event.path.components.last ?? ""
    switch event.kind {
    case .activated: line(indentation + style.added("+ \(name)"))
    case .resigned: line(indentation + style.removed("- \(name)"))
    default: break
    }
  }

  private func line(_ text: String) {
    let time = clock.now.offset.clockText
    let shown = time == lastTime ? "" : time
    lastTime = time
    write(String(repeating: " ", count: max(0, 6 - shown.count)) + style.faint(shown) + "  " + text + "\n")
    endsWithBlankLine = false
  }

  private func blankLine() {
    if !endsWithBlankLine { write("\n") }
    endsWithBlankLine = true
  }
}
