// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension SavedTree {
  /// A child of a saved RIB.
  enum Child {
    /// Retained, because `savedState` and `savedChildren` are code of the program.
    case node(RouterNode)
    /// A record that the tree is restored from, whose RIB does not exist.
    case record(SavedRecords, Int)
    /// What is saved of a child that is about to be restarted.
    case restarting(SavedTree)
  }

  /// Walks a tree without recursion, and copies what is saved.
  ///
  /// - Parameters:
  ///   - restoration: has the records that no RIB has taken.
  ///   - noteRestartable: called with each RIB that its container restarts from what is saved of it, and the index of its
  ///     record.
  init(of root: RouterNode, _ restoration: Restoration?, _ noteRestartable: (RouterNode, Int) -> Void = { _, _ in }) {
    var records: [Record] = []
    var coder = restoration?.coder
    // Casts each type once, because a failing cast is slow.
    var kinds = SiblingCache<ObjectIdentifier, Bool>()
    var circles: Set<ObjectIdentifier> = []
    var waiting: [(child: Child, parent: Int32, place: Place?)] = [(.node(root), -1, nil)]
    while let (child, parent, place) = waiting.popLast() {
      let index = Int32(records.count)
      let node: RouterNode
      switch child {
      case .node(let router): node = router
      case .record(let source, let number):
        records.append(source[number].moved(below: parent))
        for child in source.children[number].reversed() { waiting.append((.record(source, child), index, nil)) }
        continue
      case .restarting(let saved):
        coder = coder ?? saved.coder
        for record in saved.records {
          records.append(
            record.parent < 0
              ? Record(parent: parent, name: record.name, place: place, details: record.details, isRestarting: true)
              : record.moved(below: index + record.parent))
        }
        continue
      }
      if let supervisor = node.container?.supervisor, supervisor.restarts.state == .saved {
        noteRestartable(node, records.count)
      }
      let contents = node.savedChildren
      let rest = restoration?.rest(of: node)
      var state: (value: SavedValue, version: Int)?
      if let interactor = node.interactorCore, case let type = type(of: interactor),
        kinds.value(of: ObjectIdentifier(type), { type is any Saving.Type }), let saving = interactor as? any Saving
      {
        state = SavedTree.state(of: saving)
      }
      state = state ?? rest?.state
      let name = node.recordName
      let held = HeldChildren(contents, of: node, below: root)
      let containers = held.containers + (rest?.containers ?? [])
      let details: Details? =
        state == nil && containers.isEmpty
        ? nil : Details(state: state?.value, version: state?.version ?? 0, containers: containers)
      records.append(Record(parent: parent, name: name, place: place, details: details))
      for child in held.restarting.reversed() { waiting.append((.restarting(child.saved), index, child.place)) }
      // A circle of RIBs has one that is held and not attached. It is saved once.
      for child in held.detached.reversed() where circles.insert(ObjectIdentifier(child.node)).inserted {
        waiting.append((.node(child.node), index, child.place))
      }
      func addChild(_ child: Child) {
        guard case .node(let node) = child else { return waiting.append((child, index, nil)) }
        let place = held.places[ObjectIdentifier(node)]
        if place != nil || node.isSavedWithoutPlace { waiting.append((child, index, place)) }
      }
      if let children = restoration?.children(of: node) {
        for child in children.reversed() { addChild(child) }
      } else {
        for child in node.childNodes.reversed() { addChild(.node(child)) }
      }
    }
    self.init(records: records, coder: coder)
  }

  private static func state<Interactor: Saving>(of interactor: Interactor) -> (SavedValue, Int) {
    (.captured(interactor.savedState), Interactor.savedVersion)
  }

  /// The children that the listed containers of a router hold.
  private struct HeldChildren {
    var containers: [Container] = []
    /// The places of the children by their routers.
    var places: [ObjectIdentifier: Place] = [:]
    /// The children that are held but not attached: the covered ones of a stack.
    var detached: [(node: RouterNode, place: Place)] = []
    /// The children that are about to be restarted.
    var restarting: [(saved: SavedTree, place: Place)] = []

    init(_ contents: [RouterNode.SavedChildren], of owner: RouterNode, below root: RouterNode) {
      for content in contents {
        guard !containers.contains(where: { $0.name == content.name }) else {
          owner.report(
            .error(
              .repeatedSavedName, "A container was not saved: \"\(content.name)\" is the name of another one.",
              advice: "Give each container in savedChildren a name of its own."))
          continue
        }
        let captured = content.capture()
        containers.append(Container(name: content.name, routes: .captured(captured.routes), lost: captured.lost))
        for (index, saved) in captured.restarting {
          restarting.append((saved, Place(container: content.name, index: index)))
        }
        for (index, child) in captured.children {
          let place = Place(container: content.name, index: index)
          guard places.updateValue(place, forKey: ObjectIdentifier(child)) == nil else { continue }
          // A child that is attached elsewhere, or is the root, is about to be refused: misuse is being reported.
          if child.parent == nil, child !== root { detached.append((child, place)) }
        }
      }
    }
  }
}

extension RouterNode {
  /// Whether this is saved although it is in no listed container, for code that attaches a child of its name again. A list
  /// brings back its children from their models, and a child that is being detached does not come back.
  fileprivate var isSavedWithoutPlace: Bool { container?.isList != true && !state.isBeingUnlinked }
}
