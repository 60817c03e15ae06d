import Foundation

/// What a package sets for commands that create or link RIBs, in the file `.ribs.json` of its folder. Options of a command
/// come first.
public struct Settings: Hashable, Sendable {
  /// The name of the file.
  public static let file = ".ribs.json"

  /// The target of a RIB whose parent does not decide it; nil for the only one.
  public var target: String?
  /// The folder of templates, relative to the package; nil for the built-in templates alone.
  public var templates: String?
  /// How parents attach children; nil for `Link.Route.attach`.
  public var route: Link.Route?

  /// The settings of a package; none if it has no file for them.
  ///
  /// - Throws: `Failure.malformed` if the file has something else in it.
  public init(of package: URL) throws {
    guard let data = FileManager.default.contents(atPath: package.appending(path: Settings.file).path) else { return }
    guard let values = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw Failure.malformed("\(Settings.file) is no JSON object")
    }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let text = value as? String else { throw Failure.malformed("'\(key)' in \(Settings.file) is no text") }
      switch key {
      case "target": target = text
      case "templates": templates = text
      case "route":
        let routes = Link.Route.allCases.map(\.rawValue).joined(separator: ", ")
        guard let known = Link.Route(rawValue: text) else {
          throw Failure.malformed("there is no route '\(text)', as \(Settings.file) says; there are: \(routes)")
        }
        route = known
      default:
        throw Failure.malformed(
          "there is no setting '\(key)', as \(Settings.file) says; there are: target, templates, route")
      }
    }
  }
}
