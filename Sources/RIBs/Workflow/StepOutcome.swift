/// What a step of a workflow has produced, without its types.
class StepOutcome {
  /// The scope in which the next step works: that of its item once that is active, if the item is an interactor,
  /// otherwise the one in which this was produced.
  final var scope: ScopedWork?

  init(scope: ScopedWork?) { self.scope = scope }

  /// The item, while it is alive and its activity can be waited for.
  var awaited: (any InteractorScope)? { nil }

  /// Where the item stands, as far as that is known.
  var path: TreePath { TreePath() }

  /// What has become of an item that can't be had any more.
  var lost: WorkflowError { .itemGone(path) }

  /// Lets go of an item that lives in a tree or has yet to become active: a workflow does not keep it alive.
  func letGo() {}

  /// Whether the next step can be done now.
  final var isReady: Bool {
    guard let awaited else { return scope?.hasEnded != true }
    return (awaited as? Interactor)?.acceptsTasks ?? awaited.isActive
  }
}

extension TreePath {
  /// Where an item of a workflow stands.
  init(of item: any InteractorScope) {
    self = (item as? Interactor)?.node?._withUnsafeGuaranteedRef { $0.path } ?? TreePath([type(of: item)])
  }
}

/// What a step has produced: the item that the next step works on, and a value for it.
final class Outcome<Item, Value>: StepOutcome {
  let value: Value
  private var holding: Holding
  /// What the RIB of an interactor is named after.
  private var namingType: (any AnyObject.Type)?

  private enum Holding {
    case item(Item)
    /// An interactor that is active, or was: it lives at least as long as its scope.
    case scope
    case weakly(WeakScope)
  }

  private final class WeakScope {
    weak var scope: (any InteractorScope)?
    let path: TreePath

    init(_ scope: any InteractorScope) {
      self.scope = scope
      path = TreePath(of: scope)
    }
  }

  init(_ item: Item, _ value: Value, in scope: ScopedWork?) {
    holding = .item(item)
    self.value = value
    super.init(scope: scope)
  }

  override var awaited: (any InteractorScope)? {
    switch holding {
    case .item(let item): (item as? Interactor) ?? (item as? any InteractorScope)
    case .scope: scope?.interactor
    case .weakly(let weak): weak.scope
    }
  }

  override func letGo() {
    guard case .item = holding, let awaited else { return }
    if let interactor = awaited as? Interactor, interactor.acceptsTasks {
      hold(interactor)
    } else if awaited is Interactor || !awaited.isActive {
      holding = .weakly(WeakScope(awaited))
    }
  }

  /// The item, for a step that is to work on it in a task, which moves to its scope.
  ///
  /// - Returns: nil if the item is not active.
  /// - Throws: `WorkflowError` if it is gone, or its scope has ended.
  func enter(_ task: WorkflowTask) throws -> Item? {
    let item: Item
    switch holding {
    case .item(let held):
      item = held
    case .scope:
      guard let held = awaited as? Item else { throw lost }
      item = held
    case .weakly(let weak):
      guard let held = weak.scope as? Item else { throw lost }
      item = held
    }
    if let interactor = item as? Interactor {
      guard interactor.acceptsTasks else { return nil }
      task.move(to: hold(interactor))
    } else if let scope = item as? any InteractorScope {
      guard scope.isActive else { return nil }
      task.watch(scope)
    }
    return item
  }

  override var path: TreePath {
    if let awaited { return TreePath(of: awaited) }
    if case .weakly(let weak) = holding { return weak.path }
    return TreePath(namingType.map { [$0] } ?? [])
  }

  override var lost: WorkflowError { if case .weakly = holding { .itemGone(path) } else { .itemResigned(path) } }

  /// Holds an active interactor by its scope.
  @discardableResult
  private func hold(_ interactor: Interactor) -> ScopedWork {
    let scope = interactor.openWork()
    self.scope = scope
    namingType = interactor.node?._withUnsafeGuaranteedRef { $0.namingType } ?? type(of: interactor)
    holding = .scope
    return scope
  }
}

extension Interactor {
  /// Whether work can be bound to this now.
  package var acceptsTasks: Bool { taskRefusal == nil }
}
