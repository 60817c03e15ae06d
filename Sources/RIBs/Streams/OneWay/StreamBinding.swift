/// The parts that a `StreamLogic` connects: its input, its state, and what it needs from outside.
public final class StreamBinding<Logic: StreamLogic> {
  /// The input: `binding.input.name` observes the port of that name. The logic can't send to it.
  public var input: Members<Logic.Input> { Members(ports, of: self) }
  /// The state: `binding.state.name` reads, writes and observes the cell of that name.
  public var state: Members<Logic.State> { Members(cells, of: self) }
  /// What the logic needs from outside.
  public let extra: Logic.Extra

  private let ports: Logic.Input
  private let cells: Logic.State
  /// The ports and cells that the logic uses. They are few.
  private var used: [AnySubject] = []
  private var subscriptions = DisposableList()
  private(set) var hasEnded = false

  init(_ ports: Logic.Input, _ cells: Logic.State, _ extra: Logic.Extra) {
    self.ports = ports
    self.cells = cells
    self.extra = extra
  }

  /// Binds a subscription to the lifetime of the stream.
  fileprivate func add(_ subscription: any Disposable) {
    guard !hasEnded else { return subscription.dispose() }
    subscriptions.append(subscription)
    guard let sweep = subscriptions.beginSweep() else { return }
    let live = sweep.findLive()
    subscriptions.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  /// Records that the logic uses a port or a cell. Its subject completes with the stream, even if the port or cell is
  /// kept elsewhere.
  fileprivate func use(_ subject: AnySubject) {
    if hasEnded { return subject.complete() }
    if !used.contains(where: { $0 === subject }) { used.append(subject) }
  }

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    subscriptions.removeAll().disposeAll()
    let ending = used
    used = []
    for subject in ending { subject.complete() }
  }
}

extension Disposable {
  /// Disposes of this subscription when the stream of the binding ends.
  public func disposed<Logic>(by binding: StreamBinding<Logic>) { binding.add(self) }
}

extension StreamBinding {
  /// The ports of the input, or the cells of the state, as the logic uses them.
  @dynamicMemberLookup
  public struct Members<Part> {
    private let part: Part
    private let binding: StreamBinding

    fileprivate init(_ part: Part, of binding: StreamBinding) {
      self.part = part
      self.binding = binding
    }

    /// The events that are sent to a port.
    public subscript<Value>(dynamicMember port: KeyPath<Part, InputPort<Value>>) -> Observable<Value> {
      let subject = part[keyPath: port].subject
      binding.use(subject)
      return Observable(source: subject.subscribe)
    }

    /// The relay of a cell. It ends with the stream, and its value stays.
    public subscript<Value>(dynamicMember cell: KeyPath<Part, StateCell<Value>>) -> BehaviorRelay<Value> {
      let relay = part[keyPath: cell].relay
      binding.use(relay.subject)
      return relay
    }
  }
}
