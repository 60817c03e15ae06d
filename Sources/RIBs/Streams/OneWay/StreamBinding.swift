/// What a `StreamLogic` connects: the inner side of a stream's input and state, and what it needs from outside.
public final class StreamBinding<Logic: StreamLogic> {
  /// What comes in: each port as an observable, which the logic can't send to.
  public var input: BoundInput<Logic> { BoundInput(self) }
  /// What the logic remembers, to be read and written.
  public var state: BoundState<Logic> { BoundState(self) }
  /// What the logic needs from outside.
  public let extra: Logic.Extra

  fileprivate let ports: Logic.Input
  fileprivate let cells: Logic.State
  /// The ports and cells that the logic uses. They are few.
  private var used: [AnySubject] = []
  private var subscriptions = DisposableList()
  private(set) var hasEnded = false

  init(_ ports: Logic.Input, _ cells: Logic.State, _ extra: Logic.Extra) {
    self.ports = ports
    self.cells = cells
    self.extra = extra
  }

  /// Binds a subscription of the logic to the stream: it ends with it.
  fileprivate func add(_ subscription: any Disposable) {
    guard !hasEnded else { return subscription.dispose() }
    subscriptions.append(subscription)
    guard let sweep = subscriptions.beginSweep() else { return }
    let live = sweep.findLive()
    subscriptions.endSweep(sweep, keeping: live)
    withExtendedLifetime((sweep, live)) {}
  }

  /// The logic uses a port or a cell: its stream ends with this one, also when the port or the cell is kept elsewhere.
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
  /// Ends this subscription of a logic when its stream ends.
  public func disposed<Logic>(by binding: StreamBinding<Logic>) { binding.add(self) }
}

/// The inner side of a stream's input: `binding.input.name` is what goes into the port of that name.
@dynamicMemberLookup
public struct BoundInput<Logic: StreamLogic> {
  private let binding: StreamBinding<Logic>

  fileprivate init(_ binding: StreamBinding<Logic>) { self.binding = binding }

  /// What goes into a port.
  public subscript<Value>(dynamicMember port: KeyPath<Logic.Input, InputPort<Value>>) -> Observable<Value> {
    let subject = binding.ports[keyPath: port].subject
    binding.use(subject)
    return Observable(source: subject.subscribe)
  }
}

/// The inner side of a stream's state: `binding.state.name` is the cell of that name, to be read and written.
@dynamicMemberLookup
public struct BoundState<Logic: StreamLogic> {
  private let binding: StreamBinding<Logic>

  fileprivate init(_ binding: StreamBinding<Logic>) { self.binding = binding }

  /// A cell, to be read and written.
  public subscript<Value>(dynamicMember cell: KeyPath<Logic.State, StateCell<Value>>) -> StateValue<Value> {
    let cell = binding.cells[keyPath: cell]
    binding.use(cell.subject)
    return StateValue(cell)
  }
}
