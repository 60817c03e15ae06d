internal import Synchronization

/// What all RIBs of a snapshot that are of the same types have in common.
///
/// Their names are made when they are read for the first time, because that is slow, and the tree that the snapshot is
/// taken of does not wait for it.
final class SnapshotKind: Sendable {
  /// The names of a RIB and its types.
  final class Names: Sendable {
    let rib: String
    let router: String
    let interactor: String

    init(rib: String, router: String, interactor: String) {
      self.rib = rib
      self.router = router
      self.interactor = interactor
    }
  }

  /// The types of a RIB.
  struct Types: Hashable {
    /// The router, or the test double that stands for one: what the RIB is named after.
    let router: any AnyObject.Type
    var interactor: any AnyObject.Type

    static func == (one: Types, other: Types) -> Bool {
      one.router == other.router && one.interactor == other.interactor
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(router))
      hasher.combine(ObjectIdentifier(interactor))
    }
  }

  let hasView: Bool
  /// Nil for what was read, whose names are known.
  private let types: Types?
  private let known = AtomicLazyReference<Names>()

  init(_ types: Types, hasView: Bool) {
    self.types = types
    self.hasView = hasView
  }

  init(_ names: Names, hasView: Bool) {
    types = nil
    self.hasView = hasView
    _ = known.storeIfNil(names)
  }

  var names: Names {
    if let names = known.load() { return names }
    guard let types else { fatalError("A kind has names or types.") }
    return known.storeIfNil(
      Names(
        rib: nameOfRIB(types.router), router: String(describing: types.router),
        interactor: String(describing: types.interactor)))
  }
}

extension SnapshotKind: Equatable {
  static func == (one: SnapshotKind, other: SnapshotKind) -> Bool {
    if one === other { return true }
    let (names, others) = (one.names, other.names)
    return one.hasView == other.hasView && names.rib == others.rib && names.router == others.router
      && names.interactor == others.interactor
  }
}

/// The kinds of RIBs met while a snapshot is taken.
struct SnapshotKinds {
  private var known: [SnapshotKind.Types: SnapshotKind] = [:]
  /// The kind met last: siblings are often alike.
  private var last: (types: SnapshotKind.Types, kind: SnapshotKind)?

  mutating func kind(of types: SnapshotKind.Types, hasView: @autoclosure () -> Bool) -> SnapshotKind {
    if let last, last.types == types { return last.kind }
    let kind = known[types] ?? SnapshotKind(types, hasView: hasView())
    known[types] = kind
    last = (types, kind)
    return kind
  }
}
