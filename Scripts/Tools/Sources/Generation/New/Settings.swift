// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    func place(of key: String) -> String {
      let line = lines.firstIndex { $0.contains("\"\(key)\"") }
      return Settings.file + (line.map { ":\($0 + 1)" } ?? "")
    }
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: data)
    } catch {
      // On Linux, the reason has the offset.
      let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
      let offset = reason.firstMatch(of: /character (\d+)/).flatMap { Int($0.1) }
      let line = offset.map { offset in ":\(data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1)" } ?? ""
      throw Failure.malformed("\(Settings.file)\(line) is no JSON: \(reason)")
    }
    guard let values = value as? [String: Any] else { throw Failure.malformed("\(Settings.file) is no JSON object") }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let text = value as? String else {
        throw Failure.malformed("\(place(of: key)): '\(key)' is '\(value)', and must be a text")
      }
      switch key {
      case "target": target = text
      case "templates": templates = text
      case "route":
        let routes = Link.Route.allCases.map(\.rawValue).joined(separator: ", ")
        guard let known = Link.Route(rawValue: text) else {
          throw Failure.malformed("\(place(of: key)): there is no route '\(text)'; there are: \(routes)")
        }
        route = known
      default:
        throw Failure.malformed(
          "\(place(of: key)): there is no setting '\(key)'; there are: target, templates, route")
      }
    }
  }
}
