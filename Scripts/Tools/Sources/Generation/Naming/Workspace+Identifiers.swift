// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

extension Workspace {
  /// The name of a RIB in an id that `ribs tree` prints: `Order`, or `Order [Shop]` if several have that name. The text in
  /// brackets is a module, a folder, or a file and its line; the workspace then has the focus on the target.
  ///
  /// - Throws: `Failure.missing` if no target is meant, and `Failure.usage` for what is no name.
  public func rib(_ id: String) throws -> RIBName {
    guard let match = id.wholeMatch(of: #/(.*?) \[(.+)\]/#) else { return try RIBName(id) }
    let name = try RIBName(String(match.1))
    let distinction = String(match.2)
    if let target = package?.targets.first(where: { $0.name == distinction || $0.module == distinction }) {
      try focus(on: target.name)
      return name
    }
    let place = distinction.split(separator: ":").first.map(String.init) ?? distinction
    let types = [name.text + "Router", name.text + "Builder"]
    let targets = Set(
      types.flatMap { declarations(of: $0, after: ["class"]) }.map(\.file.path)
        .filter { ("/" + $0 + "/").contains("/\(place)/") }.compactMap { package?.target(of: $0)?.name })
    guard targets.count == 1, let target = targets.first else {
      throw Failure.missing("no target has a RIB '\(name)' in '\(distinction)'")
    }
    try focus(on: target)
    return name
  }
}
