/// Where a RIB stands in its tree, from the root to the RIB.
public struct TreePath: Sendable, Hashable, CustomStringConvertible {
  /// The most RIBs that a path names; of a longer one it names the last.
  static let limit = 64

  /// From the RIB upwards. If RIBs above the last were left out, something stands for them.
  private var places: ContiguousArray<Place>

  /// A RIB on the way, by what it is named after. In an array of bare types, that of the array would be looked up each time.
  private struct Place: Hashable {
    let type: any AnyObject.Type

    static func == (one: Place, other: Place) -> Bool { one.type == other.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
  }

  /// Stands for RIBs that were left out.
  private final class LeftOut {}

  /// - Parameter types: what the RIBs are named after, from the RIB upwards.
  init(_ types: [any AnyObject.Type] = []) { places = ContiguousArray(types.map(Place.init)) }

  /// A path of a RIB.
  ///
  /// - Complexity: linear in the depth, up to the length of the longest path.
  init(of router: RouterNode) {
    var depth = 1
    var next = router.parent
    while let node = next, depth < TreePath.limit {
      depth += 1
      next = node._withUnsafeGuaranteedRef { $0.parent }
    }
    places = []
    places.reserveCapacity(next == nil ? depth : depth + 1)
    places.append(Place(type: router.namingType))
    next = router.parent
    while places.count < depth, let node = next {
      node._withUnsafeGuaranteedRef { node in
        places.append(Place(type: node.namingType))
        next = node.parent
      }
    }
    if next != nil { places.append(Place(type: LeftOut.self)) }
  }

  private var isCut: Bool { places.last?.type == LeftOut.self }

  /// The names of the RIBs: a router's type without `Router` at its end, or that of the interactor of a plain `Router`
  /// without `Interactor`.
  ///
  /// Of a path longer than 64 RIBs only the last 64 are named.
  public var components: [String] { (isCut ? places.dropLast() : places[...]).reversed().map { nameOfRIB($0.type) } }

  /// The names joined by slashes: `Root/LoggedIn/Order`; begins with `…/` if RIBs were left out.
  public var description: String { (isCut ? "…/" : "") + components.joined(separator: "/") }
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
