/// Bound tasks in the order in which they were added. Each is linked to its neighbours, so that adding one and taking one
/// out allocates nothing. The list owns a reference to each.
struct TaskList: ~Copyable {
  typealias Link = Unmanaged<BoundTask>

  private var first: Link?
  private var last: Link?

  deinit {
    var next = first
    while let link = next {
      next = link._withUnsafeGuaranteedRef { $0.next }
      link.release()
    }
  }

  var isEmpty: Bool { first == nil }

  /// All of them, the first added first.
  var elements: [BoundTask] {
    var elements: [BoundTask] = []
    var next = first
    while let link = next {
      let task = link.takeUnretainedValue()
      elements.append(task)
      next = task.next
    }
    return elements
  }

  mutating func append(_ task: BoundTask) {
    let link = Link.passRetained(task)
    task.previous = last
    if let last { last._withUnsafeGuaranteedRef { $0.next = link } } else { first = link }
    last = link
  }

  /// Takes out a task that is in this list. The caller holds it.
  mutating func remove(_ task: BoundTask) {
    let next = task.next
    let previous = task.previous
    if let previous { previous._withUnsafeGuaranteedRef { $0.next = next } } else { first = next }
    if let next { next._withUnsafeGuaranteedRef { $0.previous = previous } } else { last = previous }
    task.next = nil
    task.previous = nil
    Link.passUnretained(task).release()
  }

  /// Takes all out.
  mutating func removeAll() -> [BoundTask] {
    let removed = elements
    for task in removed { remove(task) }
    return removed
  }
}
