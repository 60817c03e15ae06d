/// The outcome of a workflow step, without its types.
class StepOutcome {
  /// The scope of the next step: that of its item once active, if the item is an interactor; otherwise the scope that
  /// produced this outcome.
  final var scope: ScopedWork?

  init(scope: ScopedWork?) { self.scope = scope }

  /// The item, while it is alive and has an activity to wait for.
  var awaited: (any InteractorScope)? { nil }

  /// The path of the item, as far as it is known.
  var path: TreePath { TreePath() }

  /// The error for an item that is no longer available.
  var lost: WorkflowError { .itemGone(path) }

  /// Releases an item that lives in a tree or is not yet active: a workflow does not keep it alive.
  func letGo() {}

  /// Whether the next step can run now.
  final var isReady: Bool {
    guard let awaited else { return scope?.hasEnded != true }
    return (awaited as? Interactor)?.acceptsTasks ?? awaited.isActive
  }
}

extension TreePath {
  /// The path of a workflow item.
  init(of item: any InteractorScope) {
    self = (item as? Interactor)?.node?._withUnsafeGuaranteedRef { $0.path } ?? TreePath([type(of: item)])
  }
}

/// The outcome of a step: the item of the next step, and a value for it.
final class Outcome<Item, Value>: StepOutcome {
  let value: Value
  private var holding: Holding
  /// The type that the interactor's RIB is named after.
  private var namingType: (any AnyObject.Type)?

  private enum Holding {
    case item(Item)
    /// An interactor that is or was active. It lives at least as long as its scope.
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

  /// The item, for a step of a task. Moves the task to the item's scope.
  ///
  /// - Returns: nil if the item is not active.
  /// - Throws: `WorkflowError` if it was released, or its scope has ended.
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

  /// Replaces a strong reference to an active interactor by its scope.
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
