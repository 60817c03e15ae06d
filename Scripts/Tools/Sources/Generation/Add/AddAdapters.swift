// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel

/// Copies adapters into a package, and adds them to its manifest.
public struct AddAdapters {
  public var adapters: [Adapter]
  /// The folder that will contain a folder for each, relative to the package; nil for the folder of the target that the
  /// manifest declares, or else of all targets.
  public var folder: String?
  /// The target that will depend on the adapters; nil for none.
  public var user: String?

  public init(_ adapters: [Adapter], in folder: String?, for user: String?) {
    self.adapters = adapters
    self.folder = folder
    self.user = user
  }

  /// Copies the files byte for byte, records them, and adds to the manifest what it lacks. Files that are there already
  /// with the same text are left as they are.
  ///
  /// - Throws: `Failure.refused` if a file with another text is there.
  public func apply(to workspace: Workspace) throws -> AdapterOutcome {
    for adapter in adapters {
      let parent = AdapterPlace(adapter, folder, workspace).folder
      for file in adapter.files {
        let path = AdapterPlace.path(file.path, in: parent)
        let copy = AdapterCopy(workspace: workspace, folder: AdapterPlace.parent(of: path))
        let name = AdapterPlace.name(of: path)
        if let there = try copy.text(name) {
          guard there.withPlainLineEnds == file.text else {
            throw Failure.refused(
              "there is a file '\(path)' that differs from the template",
              advice: ["'ribs add --update \(adapter.name)' merges a newer template into a changed copy."])
          }
        } else {
          workspace.write(file.text, to: path)
        }
        try copy.record(file.text, as: name)
      }
    }
    return try AdapterManifest(workspace: workspace, folder: folder).add(adapters, for: user)
  }
}

/// What a command for adapters has left to the user.
public struct AdapterOutcome {
  /// The files with conflicts, and what to do about each.
  public var conflicts: [(path: String, advice: String)] = []
  /// What to write into the manifest, and why it was not written; nil for nothing.
  public var byHand: String?
  public var notes: [String] = []
}

/// Where the folder of an adapter is, or will be.
struct AdapterPlace {
  /// The folder that contains that of the adapter, relative to the package.
  let folder: String

  /// - Parameter folder: the folder that the user names; nil for none.
  init(_ adapter: Adapter, _ folder: String?, _ workspace: Workspace) {
    if let folder {
      self.folder = folder
    } else if let target = workspace.package?.target(named: adapter.name),
      AdapterPlace.name(of: target.path) == adapter.name
    {
      self.folder = AdapterPlace.parent(of: target.path)
    } else {
      self.folder = PackageModel.sourcesFolder(in: workspace.root)
    }
  }

  static func path(_ path: String, in folder: String) -> String { folder.isEmpty ? path : "\(folder)/\(path)" }

  static func parent(of path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }

  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
}

/// Adds adapters to the manifest of a package.
struct AdapterManifest {
  let workspace: Workspace
  let folder: String?

  /// - Parameters:
  ///   - known: what the manifest got with earlier versions of the templates.
  ///   - user: the target that will depend on the adapters.
  func add(_ adapters: [Adapter], known: [ManifestItem] = [], for user: String? = nil) throws -> AdapterOutcome {
    let usual = PackageModel.sourcesFolder(in: workspace.root)
    var items: [ManifestItem] = []
    for adapter in adapters {
      let place = AdapterPlace(adapter, folder, workspace).folder
      items += adapter.manifestItems.map { item in
        guard place != usual, case .target(let name) = item.kind else { return item }
        return item.inFolder(AdapterPlace.path(name, in: place))
      }
    }
    // Packages first, as their targets need them.
    items = ManifestItem.merged(items)
    items = items.filter { $0.packageName != nil } + items.filter { $0.packageName == nil }
    if let user { items += try dependencies(of: user, on: adapters) }
    let rest = try ManifestAddition(workspace: workspace).add(items, known: known, unless: obstacle(to: adapters))
    return AdapterOutcome(byHand: rest.text, notes: rest.notes)
  }

  /// What the target that uses the adapters needs.
  private func dependencies(of user: String, on adapters: [Adapter]) throws -> [ManifestItem] {
    let names = workspace.package?.targets.map(\.name) ?? []
    guard names.contains(user) else {
      throw Failure.missing(
        "there is no target '\(user)' in Package.swift"
          + (names.isEmpty ? "" : "; there are: \(names.joined(separator: ", "))"))
    }
    let list = adapters.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return ManifestItem(".target(name: \"\(user)\", dependencies: [\(list)])").map { [$0] } ?? []
  }

  /// Why the adapters can't be targets of their own; nil if they can.
  private func obstacle(to adapters: [Adapter]) -> String? {
    guard let package = workspace.package else { return nil }
    for adapter in adapters {
      let path = AdapterPlace.path(adapter.name, in: AdapterPlace(adapter, folder, workspace).folder)
      if let target = package.target(of: path), target.name != adapter.name {
        return "'\(path)' is in the folder of the target '\(target.name)'; move that target's files to a folder of "
          + "their own, or the adapter with --path"
      }
    }
    let usual = PackageModel.sourcesFolder(in: workspace.root)
    if let only = package.targets.first(where: {
      !$0.isTest && $0.path == usual && $0.call.argument("path") == nil
    }) {
      return "the files of the target '\(only.name)' are in \(usual) itself, which only the target of a package with "
        + "one target may have; move them to \(usual)/\(only.name)"
    }
    return nil
  }
}

extension ManifestAddition.Rest {
  /// What to write by hand, as text; nil for nothing.
  var text: String? {
    guard let reason, !(missing + incomplete).isEmpty else { return nil }
    func listed(_ title: String, _ items: [ManifestItem]) -> String {
      if items.isEmpty { return "" }
      return "\n\(title):\n\n" + items.map { "  " + $0.text.replacing("\n", with: "\n  ") + ",\n" }.joined()
    }
    return "Package.swift is not changed: \(reason).\n"
      + listed("Add to the dependencies of the package in Package.swift", missing.filter { $0.packageName != nil })
      + listed("Add to the targets in Package.swift", missing.filter { $0.packageName == nil })
      + listed("Complete the dependencies of these targets in Package.swift", incomplete)
  }
}

extension String {
  /// The text with line feeds alone, if all its lines end with a carriage return and a line feed.
  var withPlainLineEnds: String { endsLinesWithReturns ? replacing("\r\n", with: "\n") : self }

  /// Whether all lines end with a carriage return and a line feed.
  var endsLinesWithReturns: Bool {
    var previous: UInt8 = 0
    var isFound = false
    for byte in utf8 {
      if byte == UInt8(ascii: "\n") {
        if previous != UInt8(ascii: "\r") { return false }
        isFound = true
      }
      previous = byte
    }
    return isFound
  }
}
