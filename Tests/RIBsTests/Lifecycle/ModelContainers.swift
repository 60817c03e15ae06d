// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists

/// Slots, stacks and lists, as their documentation describes them: a change applies to the container at once, and the tree
/// follows when the callback has returned.
extension ModelWorld {
  /// What has children of a node.
  class Container {
    unowned let owner: Node
    /// Whether the tree is being changed.
    var isFollowing = false

    init(of owner: Node) { self.owner = owner }

    final func hold(_ child: Node) {
      if let holder = child.holder, holder !== self { holder.didLose(child) }
      child.holder = self
    }

    final func releaseHold(on child: Node) { if child.holder === self { child.holder = nil } }

    /// Other code has unlinked or attached a child, or it was refused.
    func didLose(_ child: Node) {}
  }

  /// Builds a child, which user code may use before the container does.
  private func build(for owner: Node) -> Node {
    let child = addNode()
    record(.built, child)
    return child
  }

  /// - Returns: whether the container has the child attached.
  private func attach(_ child: Node, by container: Container, at index: Int? = nil) -> Bool {
    let wasAttached = child.parent != nil
    attach(child, to: container.owner, at: index, by: container)
    guard !wasAttached, child.holder === container else { return false }
    if child.parent !== container.owner { container.releaseHold(on: child) }
    return child.parent === container.owner
  }

  private func attachOrDiscard(_ child: Node, by container: Container) {
    guard !attach(child, by: container) else { return }
    container.releaseHold(on: child)
    container.didLose(child)
  }

  private func detach(_ child: Node, from container: Container) {
    container.releaseHold(on: child)
    if child.parent === container.owner { detach(child, from: container.owner) }
  }

  // MARK: Slots

  final class Slot: Container {
    var route: Int?
    var child: Node?
    var building: Int?
    var attached: Node?
    var changes = 0
    var followedChanges = 0

    /// A route without a child counts as none: other code has detached it.
    var visibleRoute: Int? { child == nil ? nil : route }

    override func didLose(_ lost: Node) {
      if lost === attached { attached = nil }
      if lost === child { child = nil }
    }

  }

  func show(_ route: Int, in slot: Slot) {
    if (slot.building ?? slot.visibleRoute) != route {
      if cannotAttach(to: slot.owner) {
        refuse(.treeEnded, at: slot.owner)
      } else {
        let (changes, outer) = (slot.changes, slot.building)
        slot.building = route
        let child = build(for: slot.owner)
        slot.building = outer
        // The last route counts, which the builder may have set.
        if slot.changes == changes { set(route, child, in: slot) }
      }
    }
    follow(slot)
  }

  func empty(_ slot: Slot) {
    if slot.child != nil || slot.building != nil { set(nil, nil, in: slot) }
    follow(slot)
  }

  private func set(_ route: Int?, _ child: Node?, in slot: Slot) {
    (slot.route, slot.child) = (route, child)
    slot.changes += 1
  }

  private func follow(_ slot: Slot) {
    guard !slot.isFollowing else { return }
    slot.isFollowing = true
    while slot.followedChanges != slot.changes {
      if let old = slot.attached {
        slot.attached = nil
        detach(old, from: slot)
      } else {
        slot.followedChanges = slot.changes
        slot.attached = slot.child
        if let child = slot.child { attachOrDiscard(child, by: slot) }
      }
    }
    slot.isFollowing = false
  }

  // MARK: Stacks

  /// A stack that keeps covered children if the number of its node is even.
  final class Stack: Container {
    struct Entry {
      let route: Int
      let number: Int
      var child: Node?
    }

    var entries: [Entry] = []
    var lastNumber = 0
    var building: Int?
    /// The child that is attached, with the number of its entry, and the one that is being detached.
    var attached: (child: Node, number: Int)?
    var detaching: Node?

    func isOnTop(_ route: Int) -> Bool {
      if let building { return building == route }
      return entries.last.map { $0.route == route && $0.child != nil } ?? false
    }

    func newEntry(_ route: Int) -> Entry {
      lastNumber += 1
      return Entry(route: route, number: lastNumber)
    }

    func replaceEntries(with changed: [Entry]) {
      let previous = entries
      entries = changed
      for case let child? in previous.map(\.child)
      where child !== attached?.child && !changed.contains(where: { $0.child === child }) { releaseHold(on: child) }
      for case let child? in changed.dropLast().map(\.child)
      where child !== attached?.child && child !== detaching && child.holder !== self { cover(child) }
    }

    /// Keeps a covered child, or releases it.
    func cover(_ child: Node) {
      for index in entries.indices.dropLast() where entries[index].child === child {
        if !keep(child) { entries[index].child = nil }
      }
    }

    private func keep(_ child: Node) -> Bool {
      guard owner.number.isMultiple(of: 2), child !== owner, !owner.isOwned(by: child) else { return false }
      guard child.parent == nil || child.parent === owner && child.phase != .active else { return false }
      hold(child)
      return true
    }

    override func didLose(_ child: Node) {
      // A covered child that was still resigning when it was kept, and is now unlinked.
      if child !== attached?.child, child.parent != nil, entries.dropLast().contains(where: { $0.child === child }),
        keep(child)
      {
        return
      }
      if child === attached?.child { attached = nil }
      for index in entries.indices where entries[index].child === child { entries[index].child = nil }
    }

  }

  func push(_ route: Int, on stack: Stack) {
    guard !stack.isOnTop(route) else { return }
    let entry = stack.newEntry(route)
    change(stack) { $0.append(entry) }
  }

  func pop(_ stack: Stack) {
    guard let number = stack.entries.last?.number else { return }
    change(stack) { entries in entries.removeAll { $0.number == number } }
  }

  func bringToFront(_ route: Int, on stack: Stack) {
    guard !stack.isOnTop(route) else { return }
    guard let number = stack.entries.last(where: { $0.route == route })?.number else { return push(route, on: stack) }
    change(stack) { entries in
      if let index = entries.firstIndex(where: { $0.number == number }) { entries.append(entries.remove(at: index)) }
    }
  }

  /// Changes a stack. The change is made again after a child was built, because the builder may have changed the stack.
  func change(_ stack: Stack, _ edit: (inout [Stack.Entry]) -> Void) {
    var built: (number: Int, child: Node)?
    while true {
      var changed = stack.entries
      edit(&changed)
      if let top = changed.last {
        if cannotAttach(to: stack.owner) { return refuse(.treeEnded, at: stack.owner) }
        if let built, built.number == top.number { changed[changed.count - 1].child = built.child }
      }
      if let top = changed.last, top.child == nil {
        let outer = stack.building
        stack.building = top.route
        built = (top.number, build(for: stack.owner))
        stack.building = outer
      } else {
        stack.replaceEntries(with: changed)
        return follow(stack)
      }
    }
  }

  private func follow(_ stack: Stack) {
    guard !stack.isFollowing else { return }
    stack.isFollowing = true
    var rebuilt: Int?
    while true {
      let top = stack.entries.last
      if let attached = stack.attached {
        if attached.child === top?.child, attached.number == top?.number { break }
        stack.attached = nil
        stack.detaching = attached.child
        detach(attached.child, from: stack)
        stack.detaching = nil
        stack.cover(attached.child)
      } else if let top, let child = top.child {
        if child.parent != nil, child.phase == .resigning, rebuilt != top.number {
          // It resigns in an outer call, and can't be attached.
          rebuilt = top.number
          rebuild(top.number, of: stack)
        } else {
          stack.attached = (child, top.number)
          attachOrDiscard(child, by: stack)
        }
      } else {
        break
      }
    }
    stack.isFollowing = false
  }

  private func rebuild(_ number: Int, of stack: Stack) {
    func setChild(_ child: Node?) {
      var changed = stack.entries
      guard let index = changed.firstIndex(where: { $0.number == number }) else { return }
      changed[index].child = child
      stack.replaceEntries(with: changed)
    }
    setChild(nil)
    setChild(build(for: stack.owner))
  }

  // MARK: Lists

  final class List: Container {
    final class Entry { var child: Node? }

    var rows: [(row: Row, entry: Entry)] = []
    /// Updates that came during one.
    var waiting: [[Row]] = []

    /// A row without a child counts as removed: other code has detached it.
    var visibleRows: [(row: Row, entry: Entry)] { rows.filter { $0.entry.child != nil } }

    override func didLose(_ child: Node) { for (_, entry) in rows where entry.child === child { entry.child = nil } }

  }

  func update(_ list: List, to rows: [Row]) {
    list.waiting.append(rows)
    guard !list.isFollowing else { return }
    list.isFollowing = true
    while !list.waiting.isEmpty {
      let rows = list.waiting.removeFirst()
      list.rows = list.visibleRows
      // The difference itself has its own tests.
      if let difference = try? ListDifference(from: list.rows.map(\.row), to: rows), !difference.isEmpty {
        apply(difference, rows, to: list)
      }
    }
    list.isFollowing = false
  }

  private func apply(_ difference: ListDifference, _ rows: [Row], to list: List) {
    if !difference.inserts.isEmpty, cannotAttach(to: list.owner) { return refuse(.treeEnded, at: list.owner) }
    var built = difference.inserts.map { _ in build(for: list.owner) }[...]
    var refused = 0
    let old = list.rows
    list.rows = rows.map { row in
      if let known = old.first(where: { $0.row.id == row.id }) { return (row, known.entry) }
      let entry = List.Entry()
      let child = built.removeFirst()
      // User code has attached it elsewhere.
      if child.parent == nil { entry.child = child } else { refused += 1 }
      return (row, entry)
    }
    let gone = difference.deletes.compactMap { old[$0].entry.child }
    for child in gone { list.releaseHold(on: child) }
    for child in gone.reversed() { detach(child, from: list) }
    var moves = difference.moves.map(\.new)[...]
    while let move = moves.first {
      let child = attachedChild(at: move, of: list)
      if let child, let index = index(of: move, notIn: Array(moves), of: list, without: child) {
        self.move(child, to: index)
      }
      moves.removeFirst()
    }
    for insert in difference.inserts {
      guard let child = list.rows[insert].entry.child else { continue }
      if cannotAttach(to: list.owner) || !attach(child, by: list, at: index(of: insert, notIn: [], of: list)),
        list.rows[insert].entry.child === child
      {
        list.rows[insert].entry.child = nil
      }
    }
    for _ in 0..<refused { refuse(.alreadyAttached, at: list.owner) }
    for update in difference.updates {
      if let child = list.rows[update.new].entry.child { record(.updated, child) }
    }
  }

  private func attachedChild(at position: Int, of list: List) -> Node? {
    list.rows[position].entry.child.flatMap { $0.parent === list.owner ? $0 : nil }
  }

  /// The position of a row's child among the children of the owner: after that of the row before, or else before that of
  /// the row that follows.
  ///
  /// - Parameter moves: rows that are yet to be moved.
  private func index(of position: Int, notIn moves: [Int], of list: List, without child: Node? = nil) -> Int? {
    let others = list.owner.children.filter { $0 !== child }
    func index(of other: Int) -> Int? {
      attachedChild(at: other, of: list).flatMap { sibling in others.firstIndex { $0 === sibling } }
    }
    for other in (0..<position).reversed() {
      if let index = index(of: other) { return index + 1 }
    }
    for other in position + 1..<max(list.rows.count, position + 1) where !moves.contains(other) {
      if let index = index(of: other) { return index }
    }
    return nil
  }
}
