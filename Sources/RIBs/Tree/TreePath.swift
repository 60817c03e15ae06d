// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The path of a RIB in its tree, from the root to the RIB.
public struct TreePath: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of RIBs in a path. A longer path keeps the last ones.
  static let limit = 64

  /// The RIBs from this one upward. If a path was cut, a placeholder stands for the RIBs above.
  private var nearest = Nearest()
  /// The RIBs above the nearest, and then the labels; nil if there are neither. In one field, because a path is copied
  /// often.
  private var others: ContiguousArray<Other>?
  private var identity: TreeIdentity?

  private enum Other: Hashable {
    case rib(RIBName)
    /// The label of a RIB, with the number of steps from the RIB of the path up to it.
    case label(String, steps: Int)

    var rib: RIBName? { if case .rib(let rib) = self { rib } else { nil } }
  }

  /// The first RIBs, stored inline. A path is created for every event, and most need no allocation.
  private struct Nearest: Hashable {
    static let count = 8
    private(set) var rib0, rib1, rib2, rib3, rib4, rib5, rib6, rib7: RIBName?

    var inOrder: [RIBName] { [rib0, rib1, rib2, rib3, rib4, rib5, rib6, rib7].compactMap(\.self) }

    mutating func set(_ rib: RIBName, at index: Int) {
      switch index {
      case 0: rib0 = rib
      case 1: rib1 = rib
      case 2: rib2 = rib
      case 3: rib3 = rib
      case 4: rib4 = rib
      case 5: rib5 = rib
      case 6: rib6 = rib
      default: rib7 = rib
      }
    }
  }

  /// The placeholder for RIBs that were cut off.
  private final class LeftOut {}

  /// - Parameter types: the types that the RIBs are named after, from the RIB upward.
  init(_ types: [any AnyObject.Type] = []) {
    for index in types.indices { add(types[index], at: index) }
  }

  /// Creates the path of a RIB.
  ///
  /// - Complexity: linear in the depth, up to the maximum length of a path.
  init(of router: RouterNode) {
    var next: RouterNode.Link? = .passUnretained(router)
    var count = 0
    var mayHaveLabels = false
    while let node = next, count < TreePath.limit {
      node._withUnsafeGuaranteedRef { node in
        add(node.namingType, at: count)
        if node.mayHaveLabel { mayHaveLabels = true }
        next = node.parent
      }
      count += 1
    }
    if next != nil { add(LeftOut.self, at: count) }
    identity = router.tree?.identity
    if mayHaveLabels, let labels = TreePath.labels(of: router, upTo: count) { others = (others ?? []) + labels }
  }

  /// Labels are made by user code, which may release any of the RIBs, so each one is retained.
  ///
  /// - Returns: nil if there is none.
  @inline(never)
  private static func labels(of router: RouterNode, upTo count: Int) -> ContiguousArray<Other>? {
    var labels: ContiguousArray<Other>?
    var next = router
    for steps in 0..<count {
      if next.mayHaveLabel, let label = next.label { labels = (labels ?? []) + [.label(label, steps: steps)] }
      guard let parent = next.parentNode else { break }
      next = parent
    }
    return labels
  }

  /// The same path as part of a tree. A RIB that has resigned no longer knows its tree.
  func inTree(_ identity: TreeIdentity?) -> TreePath {
    guard let identity else { return self }
    var path = self
    path.identity = identity
    return path
  }

  /// The name of the tree, if `TreeConfiguration.name` is set and the RIB was in the tree.
  public var tree: String? { identity?.name }

  /// The labels of the tree, from `TreeConfiguration.labels`.
  public var labels: [String: String] { identity?.labels ?? [:] }

  private mutating func add(_ type: any AnyObject.Type, at index: Int) {
    let rib = RIBName(type: type)
    guard index >= Nearest.count else { return nearest.set(rib, at: index) }
    if others == nil { others = [.rib(rib)] } else { others?.append(.rib(rib)) }
  }

  /// The RIBs from this one upward, and then the placeholder if the path was cut.
  private var ribs: [RIBName] { nearest.inOrder + (others ?? []).compactMap(\.rib) }

  private var isCut: Bool { ribs.last?.type == LeftOut.self }

  /// The names of the RIBs: the router's type without the suffix `Router`, or for a plain `Router`, the interactor's
  /// type without `Interactor`. Without the labels of RIBs, so there are few different ones.
  ///
  /// A path longer than 64 RIBs has the names of the last 64 only.
  public var components: [String] {
    (isCut ? ribs.dropLast() : ribs[...]).reversed().map(\.description)
  }

  /// The labels of the RIBs, in the order of `components`, each as ``Interactor/ribLabel`` was when the path was created;
  /// nil for a RIB without one.
  public var ribLabels: [String?] {
    var labels = [String?](repeating: nil, count: components.count)
    for case .label(let text, let steps) in others ?? [] { labels[labels.count - 1 - steps] = text }
    return labels
  }

  /// Whether a RIB of the path has a label.
  package var hasRIBLabels: Bool { others?.last.map { $0.rib == nil } ?? false }

  /// The names joined by slashes: `Root/LoggedIn/Order`, each followed by the label of the RIB, if it has one:
  /// `Chat/Room swift`. Begins with the name of the tree, if it has one, as in `order-17:Root/LoggedIn`, and with `…/` if
  /// the path was cut.
  public var description: String {
    let names = zip(components, ribLabels).map { name, label in name.labeled(label) }
    return prefix + (isCut ? "…/" : "") + names.joined(separator: "/")
  }

  /// The RIB itself, which is the last component.
  var rib: RIBName { nearest.rib0 ?? RIBName(type: nil) }

  private var prefix: String { tree.map { "\($0):" } ?? "" }
}

/// The name and the labels of a tree. An object, so that a path is small.
final class TreeIdentity: Sendable, Hashable {
  let name: String?
  let labels: [String: String]

  /// Nil for a tree without a name and labels.
  init?(name: String?, labels: [String: String]) {
    guard name != nil || !labels.isEmpty else { return nil }
    self.name = name
    self.labels = labels
  }

  static func == (one: TreeIdentity, other: TreeIdentity) -> Bool {
    one === other || one.name == other.name && one.labels == other.labels
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The name of a RIB: its router's type without generic arguments and the suffix `Router`. A RIB with a plain router,
/// such as a `Router<RideInteractor>`, is named after the interactor.
///
/// - Parameter interactor: the type of the interactor; nil if only the one that the router declares is known.
package func nameOfRIB(_ router: any AnyObject.Type, interactor: Any.Type? = nil) -> String {
  let name = String(describing: router)
  guard let bracket = name.firstIndex(of: "<") else { return name.without(["Router"]) }
  let base = String(name[..<bracket])
  guard ["Router", "ViewableRouter", "LaunchRouter"].contains(base) else { return base.without(["Router"]) }
  let declared = interactor.map { String(describing: $0)[...] } ?? name[bracket...].dropFirst()
  return String(declared.prefix { $0 != "," && $0 != ">" && $0 != "<" }).without(["Interactor", "Interactable"])
}

extension String {
  /// The name of a RIB with its label.
  package func labeled(_ label: String?) -> String { label.map { "\(self) \($0)" } ?? self }

  /// The text without one of some suffixes, unless nothing would be left.
  fileprivate func without(_ endings: [String]) -> String {
    for ending in endings where hasSuffix(ending) && count > ending.count { return String(dropLast(ending.count)) }
    return self
  }
}

/// The name of a RIB, as a value that is cheap to create, compare and hash.
///
/// It refers to the router's type, so it is created without an allocation. `description` makes the text each time it is
/// read. Code that needs the text for each event, such as the label of a metric, makes it once for each name and stores it
/// in a dictionary by name, as `TreeMetrics` in `Templates/Adapters` does.
public struct RIBName: Hashable, Sendable, CustomStringConvertible {
  /// The type that the RIB is named after; nil for no RIB.
  let type: (any AnyObject.Type)?

  /// Whether two names refer to the same type.
  public static func == (one: RIBName, other: RIBName) -> Bool { one.type == other.type }

  /// Hashes the identity of the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(type.map { ObjectIdentifier($0) }) }

  /// The name as a component of a path: the router's type without the suffix `Router`, or for a plain `Router`, the
  /// interactor's type without `Interactor`. Empty if there is no RIB.
  public var description: String { type.map { nameOfRIB($0) } ?? "" }
}

/// Identifies a RIB in its tree, also among RIBs that have left it. A RIB that is attached again gets a new ID.
public struct NodeID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of the attachment in the tree, counted from 1, in the order in which the RIBs became active.
  public let rawValue: UInt64

  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(UInt64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  public var description: String { "#\(rawValue)" }
}
