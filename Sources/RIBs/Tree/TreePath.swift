/// Where a RIB stands in its tree, from the root to the RIB.
public struct TreePath: Sendable, Hashable, CustomStringConvertible {
  /// The most RIBs that a path names; of a longer one it names the last.
  static let limit = 64

  /// From the RIB upwards.
  private let types: [any AnyObject.Type]
  /// Whether RIBs above the last of `types` were left out.
  private let isCut: Bool

  /// - Parameters:
  ///   - types: what the RIBs are named after, from the RIB upwards.
  ///   - isCut: whether there are others above them.
  init(_ types: [any AnyObject.Type] = [], isCut: Bool = false) {
    self.types = types
    self.isCut = isCut
  }

  /// The names of the RIBs: a router's type without `Router` at its end, or that of the interactor of a plain `Router`
  /// without `Interactor`.
  ///
  /// Of a path longer than 64 RIBs only the last 64 are named.
  public var components: [String] { types.reversed().map(nameOfRIB) }

  /// The names joined by slashes: `Root/LoggedIn/Order`; begins with `…/` if RIBs were left out.
  public var description: String { (isCut ? "…/" : "") + components.joined(separator: "/") }

  public static func == (one: TreePath, other: TreePath) -> Bool {
    one.isCut == other.isCut && one.types.elementsEqual(other.types, by: ==)
  }

  public func hash(into hasher: inout Hasher) {
    for type in types { hasher.combine(ObjectIdentifier(type)) }
  }
}

/// The name of a RIB: its router's type without generic arguments and without `Router` at the end. A plain router, such as
/// a `Router<RideInteractor>`, says nothing of its RIB, which is named after the interactor then.
func nameOfRIB(_ type: any AnyObject.Type) -> String {
  let name = String(describing: type)
  guard let bracket = name.firstIndex(of: "<") else { return name.without(["Router"]) }
  let base = String(name[..<bracket])
  guard ["Router", "ViewableRouter", "LaunchRouter"].contains(base) else { return base.without(["Router"]) }
  let interactor = name[bracket...].dropFirst().prefix { $0 != "," && $0 != ">" && $0 != "<" }
  return String(interactor).without(["Interactor", "Interactable"])
}

extension String {
  /// This without one of some endings, unless nothing would be left.
  fileprivate func without(_ endings: [String]) -> String {
    for ending in endings where hasSuffix(ending) && count > ending.count { return String(dropLast(ending.count)) }
    return self
  }
}
