// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

extension ChildList {
  /// Applies an update to this list and to the tree.
  func apply(_ changes: ListDifference, _ models: [Model]) {
    guard let owner = changes.inserts.isEmpty ? owner : container.openOwner(toAttach: Model.self) else { return }
    let previous = currentModels
    let built = changes.inserts.map { build(owner, models[$0]) }
    var (gone, refused) = change(to: models, changes, built)
    // At once, because the children that are detached or notified may end the tree.
    container.requestSave()
    while let child = gone.popLast() { container.detach(child, from: owner) }
    putInOrder(changes.moves, in: owner)
    attachInserted(changes.inserts, to: owner)
    for child in refused { owner.report(.alreadyAttached(child: child)) }
    for pair in changes.updates {
      guard let follower = entries[Int(order[pair.new])].follower else { continue }
      notify(follower, of: models[pair.new], after: previous[pair.old])
    }
    notifyNearness()
    owner.emitUpdate(
      TreeEvent.ListChanges(
        inserted: changes.inserts.count, deleted: changes.deletes.count, moved: changes.moves.count,
        updated: changes.updates.count))
  }

  /// Updates the models and entries of the list.
  ///
  /// - Returns: the children whose models were removed, in the old order, and the children built for new models that
  ///   are already attached, to this router or another.
  private func change(
    to models: [Model], _ changes: ListDifference, _ built: [BuiltChild?]
  ) -> (gone: [RouterNode], refused: [RouterNode]) {
    let oldOrder = order
    currentModels = models
    places = nil
    var next = 0
    var refused: [RouterNode] = []
    order = changes.applied(to: oldOrder) { position in
      let place = takeEntry(built[next], &refused)
      next += 1
      return place
    }
    var gone: [RouterNode] = []
    for position in changes.deletes {
      let place = oldOrder[position]
      if let child = entries[Int(place)].child {
        container.releaseHold(on: child)
        gone.append(child)
      } else if !container.isRestarting(place) {
        lostCount -= 1
      }
      release(place)
    }
    return (gone, refused)
  }

  /// The entry for a child that has been built; without the child, if that can't be attached.
  private func takeEntry(_ built: BuiltChild?, _ refused: inout [RouterNode]) -> Int32 {
    var entry = ListEntry(child: built?.node, follower: built?.follower)
    if let child = entry.child, child.parentNode != nil {
      refused.append(child)
      entry = ListEntry()
    }
    if entry.child == nil { lostCount += 1 }
    if let place = unusedPlaces.popLast() {
      entries[Int(place)] = entry
      return place
    }
    entries.append(entry)
    return Int32(entries.count - 1)
  }

  /// Builds the child of a model again, after the previous one has failed, and attaches it at its position.
  ///
  /// - Returns: the child, if it is attached.
  func restart(at place: Int32, _ check: (RouterNode) -> Bool) -> RouterNode? {
    guard let owner, let position = order.firstIndex(of: place) else { return nil }
    let built = build(owner, currentModels[position])
    // The builder may have ended the pause, and so may the code of the child that is restored.
    guard container.isRestarting(place) else { return nil }
    let isValid = built.map { check($0.node) } ?? false
    guard container.isRestarting(place) else { return nil }
    container.endRestart(at: place)
    guard isValid, let built, case let child = built.node, child.parentNode == nil else {
      if let child = built?.node, child.parentNode != nil { owner.report(.alreadyAttached(child: child)) }
      lostCount += 1
      return nil
    }
    entries[Int(place)].child = child
    entries[Int(place)].follower = built.follower
    attachInserted([position], to: owner)
    notifyNearness()
    return entries[Int(place)].child === child ? child : nil
  }

  // MARK: Order of the children

  /// Moves children to their new positions, in ascending order. The others keep their relative order.
  private func putInOrder(_ moves: [ListDifference.Pair], in owner: RouterNode) {
    for (number, move) in moves.enumerated() {
      guard let child = child(at: move.new, of: owner) else { continue }
      if let position = position(of: move.new, notIn: moves[number...], in: owner) { owner.move(child, to: position) }
    }
  }

  private func attachInserted(_ positions: [Int], to owner: RouterNode) {
    for position in positions {
      let place = order[position]
      guard let child = entries[Int(place)].child else { continue }
      // A callback may have ended the tree, which is reported once.
      if owner.cannotAttach
        || !container.attach(child, to: owner, at: self.position(of: position, in: owner) ?? .end, place: place)
      {
        discard(child, at: place)
      }
    }
  }

  /// The position of a child of this list among all children of the router: behind the last attached child before it, or
  /// before the first one after it that need not move. Nil if no other child of the list is attached.
  private func position(
    of position: Int, notIn moves: ArraySlice<ListDifference.Pair> = [], in owner: RouterNode
  ) -> RouterNode.Position? {
    for other in stride(from: position - 1, through: 0, by: -1) {
      if let child = child(at: other, of: owner) { return .after(child) }
    }
    var moves = moves
    for other in (position + 1)..<max(order.count, position + 1) {
      while let move = moves.first, move.new < other { moves.removeFirst() }
      if moves.first?.new == other { continue }
      if let child = child(at: other, of: owner) { return .before(child) }
    }
    return nil
  }

  /// The child at a position of the list, if it is attached.
  private func child(at position: Int, of owner: RouterNode) -> RouterNode? {
    guard let child = entries[Int(order[position])].child, owner.isParent(of: child) else { return nil }
    return child
  }

  // MARK: Notifying the children

  /// Unwraps the models of a list with several kinds.
  private func notify<Follower: ModelRouting>(_ follower: Follower, of model: Model, after previous: Model) {
    if let model = model as? Follower.Model, let previous = previous as? Follower.Model {
      follower.didUpdate(to: model, from: previous)
    } else if let model = (model as? AnyModel)?.base as? Follower.Model,
      let previous = (previous as? AnyModel)?.base as? Follower.Model
    {
      follower.didUpdate(to: model, from: previous)
    }
  }
}
