/// Where a RIB stands in its tree, from the root to the RIB.
public struct TreePath: Sendable, Hashable, CustomStringConvertible {
  /// The most RIBs that a path names; of a longer one it names the last.
  static let limit = 64

  private let types: [any AnyObject.Type]
  /// Whether RIBs above the first of `types` were left out.
  private let isCut: Bool

  init(_ types: [any AnyObject.Type] = [], isCut: Bool = false) {
    self.types = types
    self.isCut = isCut
  }

  /// The names of the RIBs: a router's type without `Router` at its end, or that of the interactor of a plain `Router`
  /// without `Interactor`.
  ///
  /// Of a path longer than 64 RIBs only the last 64 are named.
  public var components: [String] { types.map(nameOfRIB) }

  /// The names joined by slashes: `Root/LoggedIn/Order`; begins with `…/` if RIBs were left out.
  public var description: String { (isCut ? "…/" : "") + components.joined(separator: "/") }

  public static func == (one: TreePath, other: TreePath) -> Bool {
    one.isCut == other.isCut && one.types.elementsEqual(other.types, by: ==)
  }

  public func hash(into hasher: inout Hasher) {
    for type in types { hasher.combine(ObjectIdentifier(type)) }
  }
}

/// The name of a RIB: its router's type without generic arguments and without `Router` at the end, or its interactor's
/// without `Interactor`.
func nameOfRIB(_ type: any AnyObject.Type) -> String {
  var name = String(describing: type)[...]
  if let bracket = name.firstIndex(of: "<") { name = name[..<bracket] }
  for ending in ["Router", "Interactor"] where name.hasSuffix(ending) && name.count > ending.count {
    return String(name.dropLast(ending.count))
  }
  return String(name)
}
