/// Checks from time to time whether a tree alone keeps its host, so that no release of the host ends it.
///
/// The check searches the stored properties of the tree's objects for strong references to the host, and compares their
/// number with the host's reference count. References that it can't see, such as those of closures, make it report
/// nothing. It needs no cooperation of the host, and a tree without leak detection has no check.
struct HostLeakCheck: Sendable {
  /// What a check has found.
  enum Result: Sendable {
    /// The host or the tree has ended.
    case ended
    case ownedOutside
    /// Only the tree has held the host since that time on the tree's clock.
    case ownedByTree(since: Duration)
    case reported
  }

  private weak let host: (any AnyObject & Sendable)?

  /// Starts the checks of a host, at increasing intervals.
  static func start(on host: TreeHost<some Any>, after delay: Duration) {
    guard FieldReflection.isUsable else { return }
    let check = HostLeakCheck(host: host)
    let clock = host.configuration.value.clock
    _ = TreeConfiguration.WorkContext.own().task(on: host.configuration.value.executors?.offTree) {
      [weak home = host.home] in
      var (pause, result) = (delay, Result.ownedOutside)
      while true {
        guard (try? await clock.wait(for: pause)) != nil, let home else { return }
        result = await home.look(for: check, after: result)
        switch result {
        case .ownedOutside: pause = min(pause * 2, delay * 64)
        case .ownedByTree: pause = delay
        case .ended, .reported: return
        }
      }
    }
  }

  /// Looks for the host in the tree, and reports it when two checks in a row have found that the tree alone holds it.
  fileprivate func look(in tree: TreeCore, root: RouterNode, after last: Result) -> Result {
    guard let references = references(below: root), let first = references.first else {
      return host == nil ? .ended : .ownedOutside
    }
    guard case .ownedByTree(let since) = last else { return .ownedByTree(since: tree.now()) }
    var properties: [String] = []
    for reference in references where !properties.contains(reference.property) { properties.append(reference.property) }
    tree.leaks?.report(
      Leak(
        path: first.path.inTree(tree.identity), node: first.node, part: .host, type: first.type,
        property: properties.joined(separator: ", "),
        age: tree.now() - since, work: []))
    return .reported
  }

  /// The references to the host in the tree; nil unless they are all that there are.
  private func references(below root: RouterNode) -> [HostSearch.Reference]? {
    guard let target = host.map({ ObjectIdentifier($0) }) else { return nil }
    var search = HostSearch(target)
    search.look(below: root)
    // Another owner of an array's storage owns the host as well.
    guard !search.found.isEmpty, search.storages.allSatisfy({ $0.strongReferences == 1 }),
      reference().strongReferences == search.found.count
    else { return nil }
    return search.found
  }

  /// Separate, so that the reference that it needs is released before the caller counts.
  @inline(never)
  private func reference() -> WeakReference { WeakReference(host) }
}

extension TreeActor {
  fileprivate func look(for check: HostLeakCheck, after last: HostLeakCheck.Result) -> HostLeakCheck.Result {
    // An asynchronous builder may take longer than the delay.
    guard let core else { return .ownedOutside }
    guard let root = core.rootNode, !core.hasEnded else { return .ended }
    return check.look(in: core, root: root, after: last)
  }
}

/// A weak reference that counts the strong ones.
private struct WeakReference {
  private weak let object: AnyObject?

  init(_ object: AnyObject?) { self.object = object }

  /// The current number of strong references to the object. Other threads may change it at any time.
  var strongReferences: Int { Int(WeakReference.countedReferences(to: self)) - WeakReference.ownReferences }

  /// The number of strong references, including those that this function needs.
  @inline(never)
  private static func countedReferences(to reference: WeakReference) -> UInt {
    guard let object = reference.object else { return 0 }
    return withExtendedLifetime(object) { _getRetainCount(object) }
  }

  /// The number of strong references that `countedReferences(to:)` needs: those to an object with one other.
  private static let ownReferences: Int = {
    let owner = Owner()
    return withExtendedLifetime(owner) { Int(countedReferences(to: owner.reference)) - 1 }
  }()

  private final class Owner {
    final class Owned {}

    private let owned: Owned
    let reference: WeakReference

    @inline(never)
    init() {
      owned = Owned()
      reference = WeakReference(owned)
    }
  }
}

/// Searches the stored properties of a tree's routers, interactors, workers, components and builders for the tree's
/// host.
private struct HostSearch {
  struct Reference {
    let path: TreePath
    let node: NodeID?
    let type: String
    let property: String
  }

  /// A search in debug builds must not occupy a large tree for long.
  private static let maximumRIBs = 1_000

  private let host: ObjectIdentifier
  private(set) var found: [Reference] = []
  /// The storages of the arrays in which the host was found.
  private(set) var storages: [WeakReference] = []
  private var visited: Set<ObjectIdentifier> = []
  private var fields: [ObjectIdentifier: [Int]] = [:]

  init(_ host: ObjectIdentifier) { self.host = host }

  mutating func look(below root: RouterNode) {
    var count = 0
    root.forEachBelow { node in
      count += 1
      guard count <= HostSearch.maximumRIBs else { return }
      look(at: node, of: node)
      guard let interactor = node.interactorCore?.takeUnretainedValue() else { return }
      look(at: interactor, of: node)
      for worker in interactor.runningWorkers { look(at: worker, of: node) }
    }
  }

  /// Searches an object and those that it holds.
  private mutating func look(at object: AnyObject, of node: RouterNode) {
    var remaining = [object]
    while let object = remaining.popLast() {
      // The mirror of a `CustomReflectable` type need not show its stored properties.
      guard visited.insert(ObjectIdentifier(object)).inserted, !(object is any CustomReflectable) else { continue }
      var mirror: Mirror? = Mirror(reflecting: object)
      while let part = mirror {
        mirror = part.superclassMirror
        look(at: part, after: mirror?.subjectType, of: node, &remaining)
      }
    }
  }

  /// Searches the properties that a class adds to its superclass.
  private mutating func look(
    at part: Mirror, after superclass: Any.Type?, of node: RouterNode, _ remaining: inout [AnyObject]
  ) {
    for index in readableFields(of: part.subjectType, after: superclass) {
      let child = part.children[part.children.index(part.children.startIndex, offsetBy: index)]
      if let references = child.value as? any HostReferences {
        let count = references.count(of: host, &storages)
        guard count > 0 else { continue }
        let reference = Reference(
          path: node.path, node: node.nodeID, type: references.hostType,
          property: "\(part.subjectType).\(nameOfProperty(child.label ?? ""))")
        found += Array(repeating: reference, count: count)
      } else if let component = child.value as? ComponentCore {
        remaining.append(component)
      } else if let worker = child.value as? Worker {
        remaining.append(worker)
      } else if let builder = child.value as? any Buildable {
        remaining.append(builder)
      }
    }
  }

  /// The name of a property, without the prefix that the storage of a lazy one has.
  private func nameOfProperty(_ label: String) -> Substring {
    let prefix = "$__lazy_storage_$_"
    return label.hasPrefix(prefix) ? label.dropFirst(prefix.count) : label[...]
  }

  /// The indexes of the properties of a class that may lead to a host, and can be read without harm.
  private mutating func readableFields(of type: Any.Type, after superclass: Any.Type?) -> [Int] {
    if let known = fields[ObjectIdentifier(type)] { return known }
    let inherited = superclass.map(FieldReflection.fieldCount(of:)) ?? 0
    let readable = (inherited..<max(inherited, FieldReflection.fieldCount(of: type))).filter { index in
      guard let declared = FieldReflection.typeOfStrongField(index, of: type) else { return false }
      return switch declared {
      case is any HostReferences.Type, is ComponentCore.Type, is Worker.Type, is any Buildable.Type: true
      case is AnyObject.Type: false
      default: true
      }
    }
    .map { $0 - inherited }
    fields[ObjectIdentifier(type)] = readable
    return readable
  }
}

/// A value that consists of strong references to hosts.
private protocol HostReferences {
  /// The name of the host's type.
  var hostType: String { get }

  /// How often a host occurs in the value. Adds the storages that hold it.
  func count(of host: ObjectIdentifier, _ storages: inout [WeakReference]) -> Int
}

extension TreeHost: HostReferences {
  fileprivate var hostType: String { String(describing: Self.self) }

  fileprivate func count(of host: ObjectIdentifier, _ storages: inout [WeakReference]) -> Int {
    ObjectIdentifier(self) == host ? 1 : 0
  }
}

extension AnyTreeHost: HostReferences {
  fileprivate var hostType: String { String(describing: type(of: object)) }

  fileprivate func count(of host: ObjectIdentifier, _ storages: inout [WeakReference]) -> Int {
    ObjectIdentifier(object) == host ? 1 : 0
  }
}

extension Optional: HostReferences where Wrapped: HostReferences {
  fileprivate var hostType: String { self?.hostType ?? "" }

  fileprivate func count(of host: ObjectIdentifier, _ storages: inout [WeakReference]) -> Int {
    self?.count(of: host, &storages) ?? 0
  }
}

extension Array: HostReferences where Element: HostReferences {
  fileprivate var hostType: String { first?.hostType ?? "" }

  fileprivate func count(of host: ObjectIdentifier, _ storages: inout [WeakReference]) -> Int {
    let count = reduce(0) { $0 + $1.count(of: host, &storages) }
    if count > 0, let storage = _owner { storages.append(WeakReference(storage)) }
    return count
  }
}

/// Finds the strong stored properties of a class.
///
/// `Mirror` does not say so, and reading an `unowned` property whose object was released ends the process. The functions
/// of the runtime have no Swift name (Swift 6.3), and are used only if a check at run time finds that they behave as
/// expected.
private enum FieldReflection {
  #if RIBS_PUBLIC_API_ONLY
    static var isUsable: Bool { false }

    static func fieldCount(of type: Any.Type) -> Int { 0 }

    static func typeOfStrongField(_ index: Int, of type: Any.Type) -> Any.Type? { nil }
  #else
    /// Checked once, at first use.
    static let isUsable: Bool = {
      guard fieldCount(of: Probe.self) == 4, fieldCount(of: DerivedProbe.self) == 5 else { return false }
      let types = (0..<5).map { typeOfStrongField($0, of: DerivedProbe.self).map { ObjectIdentifier($0) } }
      return types
        == [Probe?.self, nil, nil, nil, Int.self].map { (type: Any.Type?) in type.map { ObjectIdentifier($0) } }
    }()

    private class Probe {
      var strong: Probe?
      weak var weak: Probe?
      unowned var unowned: Probe
      unowned(unsafe) var unsafe: Probe

      init(_ other: Probe) {
        unowned = other
        unsafe = other
      }
    }

    private final class DerivedProbe: Probe {
      var number = 0
    }

    /// The layout that the runtime fills in, and room for more.
    private struct Field {
      var name: UnsafePointer<CChar>?
      var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
      var isStrong = false
      var isVariable = false
      var rest: (UInt64, UInt64) = (0, 0)
    }

    @_silgen_name("swift_reflectionMirror_recursiveCount")
    static func fieldCount(of type: Any.Type) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    private static func fieldType(
      _ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<Field>
    ) -> Any.Type

    /// The declared type of a stored property, those of superclasses first; nil if it is weak or unowned.
    static func typeOfStrongField(_ index: Int, of type: Any.Type) -> Any.Type? {
      var field = Field()
      let fieldType = fieldType(type, index: index, fieldMetadata: &field)
      field.release?(field.name)
      return field.isStrong ? fieldType : nil
    }
  #endif
}
