/// The saved state of a tree: a value that can leave the tree, be stored, and be restored in another process.
///
/// It contains each RIB by name with its place in the tree, the `savedState` of interactors that conform to ``Saving``,
/// and the routes of the containers in ``RouterNode/savedChildren``. Capturing it takes one walk through the tree,
/// without suspension. States are encoded later, off the tree:
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// let document = try await session.save().encoded(by: JSONStateCoder())
///
/// let restored = try await TreeHost(restoring: SavedTree(document), coder: JSONStateCoder()) {
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// print(restored.isActive)
/// ```
///
/// ## Format
///
/// One flat JSON document: `{"format":1,"ribs":[…]}`, with one line for each RIB, parents before their children. A RIB
/// is an object: `in` is the index of its parent, `rib` its name, `v` the version of its `state`, and `children` has the
/// routes of each container. A child of a container has the container's name as `at`, and its position there as
/// `index` unless it is the first. Readers ignore unknown keys. Each version of this library reads all earlier formats.
public struct SavedTree: Sendable {
  /// The version of the format. It changes when readers of the old version would misread the new one.
  static let format = 1

  /// A saved RIB.
  struct Record: Sendable {
    /// The index of the parent; negative for the root.
    let parent: Int32
    let name: Name
    /// The container that holds the RIB; nil for a child that was attached by code.
    let place: Place?
    /// What few RIBs have.
    let details: Details?
  }

  /// The name of a RIB. Created when it is read, because that is slow.
  enum Name: Sendable {
    case type(any AnyObject.Type)
    case text(String)

    var text: String {
      switch self {
      case .type(let type): nameOfRIB(type)
      case .text(let text): text
      }
    }
  }

  /// The place of a child in a container.
  struct Place: Hashable, Sendable {
    let container: String
    let index: Int
  }

  /// The saved content of a container.
  struct Container: Sendable {
    let name: String
    let routes: SavedValue
  }

  final class Details: Sendable {
    let state: SavedValue?
    let version: Int
    let containers: [Container]

    init(state: SavedValue?, version: Int, containers: [Container]) {
      self.state = state
      self.version = version
      self.containers = containers
    }
  }

  let records: [Record]

  /// The number of saved RIBs.
  public var count: Int { records.count }
}

extension SavedTree {
  /// A child of a saved RIB.
  enum Child {
    /// Retained, because `savedState` and `savedChildren` are code of the program.
    case node(RouterNode)
    /// A record that the tree is restored from, whose RIB does not exist yet.
    case record(Int)
  }

  /// Walks a tree without recursion, and copies what is saved.
  ///
  /// - Parameter restoration: has the records of children that are not attached yet.
  init(of root: RouterNode, _ restoration: Restoration?) {
    var records: [Record] = []
    var kinds = SavingKinds()
    var circles: Set<ObjectIdentifier> = []
    var waiting: [(child: Child, parent: Int32, place: Place?)] = [(.node(root), -1, nil)]
    while let (child, parent, place) = waiting.popLast() {
      let index = Int32(records.count)
      guard case .node(let node) = child else {
        if case .record(let number) = child, let (record, children) = restoration?.savedRecord(number) {
          records.append(Record(parent: parent, name: record.name, place: record.place, details: record.details))
          for child in children.reversed() { waiting.append((.record(child), index, nil)) }
        }
        continue
      }
      let contents = node.savedChildren
      var state: (value: SavedValue, version: Int)?
      if let interactor = node.interactorCore?.takeUnretainedValue(), kinds.areSaving(type(of: interactor)),
        let saving = interactor as? any Saving
      {
        state = SavedTree.state(of: saving)
      }
      if contents.isEmpty {
        records.append(
          Record(
            parent: parent, name: .type(node.namingType), place: place,
            details: state.map { Details(state: $0.value, version: $0.version, containers: []) }))
        if let children = restoration?.children(of: node) {
          for child in children.reversed() { waiting.append((child, index, nil)) }
          continue
        }
        var next = node.lastChild
        while let child = next?.takeUnretainedValue() {
          waiting.append((.node(child), index, nil))
          next = child.previousSibling
        }
        continue
      }
      let held = HeldChildren(contents, of: node, below: root)
      records.append(
        Record(
          parent: parent, name: .type(node.namingType), place: place,
          details: Details(state: state?.value, version: state?.version ?? 0, containers: held.containers)))
      // A circle of RIBs has one that is held and not attached. It is saved once.
      for child in held.detached.reversed() where circles.insert(ObjectIdentifier(child.node)).inserted {
        waiting.append((.node(child.node), index, child.place))
      }
      if let children = restoration?.children(of: node) {
        for child in children.reversed() {
          guard case .node(let node) = child else {
            waiting.append((child, index, nil))
            continue
          }
          waiting.append((child, index, held.places[ObjectIdentifier(node)]))
        }
        continue
      }
      var next = node.lastChild
      while let child = next?.takeUnretainedValue() {
        waiting.append((.node(child), index, held.places[ObjectIdentifier(child)]))
        next = child.previousSibling
      }
    }
    self.init(records: records)
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

    init(_ contents: [SavedChildren], of owner: RouterNode, below root: RouterNode) {
      for content in contents {
        guard !containers.contains(where: { $0.name == content.name }) else {
          owner.report(.repeatedSavedName(content.name))
          continue
        }
        let captured = content.capture()
        containers.append(Container(name: content.name, routes: .captured(captured.routes)))
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

/// Finds the interactors that conform to `Saving`. Casts each type once, because a failing cast is slow.
private struct SavingKinds {
  private var known: [ObjectIdentifier: Bool] = [:]
  /// The most recent type: siblings often have the same.
  private var last: (type: ObjectIdentifier, isSaving: Bool)?

  mutating func areSaving(_ type: Interactor.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let last, last.type == id { return last.isSaving }
    let isSaving = known[id] ?? (type is any Saving.Type)
    known[id] = isSaving
    last = (id, isSaving)
    return isSaving
  }
}
