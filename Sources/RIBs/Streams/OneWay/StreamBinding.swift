/// The inner side of a stream, passed to its `StreamLogic`: input, state and external dependencies.
public final class StreamBinding<Logic: StreamLogic> {
  /// The input ports as observables. The logic can't send to them.
  public var input: BoundInput<Logic> { BoundInput(self) }
  /// The state, readable and writable.
  public var state: BoundState<Logic> { BoundState(self) }
  /// The external dependencies of the logic.
  public let extra: Logic.Extra

  fileprivate let ports: Logic.Input
  fileprivate let cells: Logic.State
  /// The few subjects of ports and cells that the logic uses.
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

/// The inner side of a stream's input: `binding.input.name` observes the port of that name.
@dynamicMemberLookup
public struct BoundInput<Logic: StreamLogic> {
  private let binding: StreamBinding<Logic>

  fileprivate init(_ binding: StreamBinding<Logic>) { self.binding = binding }

  /// The events sent to a port.
  public subscript<Value>(dynamicMember port: KeyPath<Logic.Input, InputPort<Value>>) -> Observable<Value> {
    let subject = binding.ports[keyPath: port].subject
    binding.use(subject)
    return Observable(source: subject.subscribe)
  }
}

/// The inner side of a stream's state: `binding.state.name` reads and writes the cell of that name.
@dynamicMemberLookup
public struct BoundState<Logic: StreamLogic> {
  private let binding: StreamBinding<Logic>

  fileprivate init(_ binding: StreamBinding<Logic>) { self.binding = binding }

  /// The value of a cell, readable and writable.
  public subscript<Value>(dynamicMember cell: KeyPath<Logic.State, StateCell<Value>>) -> StateValue<Value> {
    let cell = binding.cells[keyPath: cell]
    binding.use(cell.subject)
    return StateValue(cell)
  }
}
