// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Creates a RIB from templates, and links it to its parents.
public struct NewRIB {
  /// The kind of RIB.
  public enum Kind: String, Hashable, Sendable {
    case view = "View"
    case viewless = "Viewless"
    case root = "Root"
  }

  public var name: RIBName
  public var kind = Kind.viewless
  /// Whether it has a presenter between interactor and view.
  public var hasPresenter = false
  /// Whether a plugin point offers it, instead of a parent that holds its builder.
  public var isPlugin = false
  /// Whether a program launches it, which is written for it.
  public var hasMain = false
  public var parents: [RIBName] = []
  /// How the parents attach it.
  public var route = Link.Route.attach
  /// A one-line summary, which `ribs tree --summary` shows; nil for none.
  public var summary: String?
  /// The target; nil to determine it automatically.
  public var target: String?
  /// The target if nothing else decides it; nil for none.
  public var usualTarget: String?
  /// The folder for its own folder, relative to the package; nil to determine it automatically.
  public var folder: String?
  public var hasTests = true
  public var templates: TemplateLibrary

  public init(name: RIBName, templates: TemplateLibrary) {
    self.name = name
    self.templates = templates
  }

  /// Creates and links the RIB.
  ///
  /// - Returns: notes for the user about the changes.
  public func apply(to workspace: Workspace) throws -> [String] {
    let target = try target(in: workspace)
    if hasMain { try refuseOtherProgram(target, in: workspace) }
    let folder = try place(in: workspace, target: target)
    let testTarget = hasTests ? target.flatMap { workspace.package?.tests(of: $0) } : nil
    var notes: [String] = []
    var files = try rendered(part: "Sources", into: folder, module: target?.module)
    if let target, let testTarget {
      let mirrored = target.inner(folder) ?? name.text
      files += try rendered(part: "Tests", into: testTarget.path(of: mirrored), module: target.module)
    } else if hasTests {
      notes.append(noteOnTests(target))
    }
    try refuseTaken(files, in: workspace, target: target)
    for product in ["RIBs", "RIBsTesting"] {
      let importing = files.filter { $0.text.contains("import \(product)\n") }
      for owner in [target, testTarget].compactMap({ $0 })
      where importing.contains(where: { workspace.package?.target(of: $0.path) == owner }) {
        notes += try ManifestEdit(workspace: workspace).add(product, to: owner.name).map { [$0] } ?? []
      }
    }
    let texts = try Formatter.laidOut(files, near: workspace.root)
    for (file, text) in zip(files, texts) { workspace.writeNew(text, to: file.path) }
    for parent in parents {
      notes += try Link(child: name, parent: parent, route: route, templates: templates).apply(to: workspace)
    }
    return notes
  }

  private var template: TemplateLibrary.Template {
    var holding: Set<String> = hasPresenter ? ["__Presenter__"] : []
    if isPlugin { holding.insert("__Plugin__") }
    if hasMain { holding.insert("__Main__") }
    switch kind {
    case .view: holding.insert("__View__")
    case .root: holding.insert("__Root__")
    case .viewless: break
    }
    let name = kind.rawValue + (hasPresenter ? "WithPresenter" : "")
    return TemplateLibrary.Template(name: name, shared: "RIB", conditions: TemplateConditions(holding: holding))
  }

  private func rendered(part: String, into folder: String, module: String?) throws -> [(path: String, text: String)] {
    let placeholders = Placeholders(rib: name, module: module ?? "")
    return try templates.files(of: template, part: part).map { file in
      (folder + "/" + placeholders.filled(file.name), summarized(placeholders.filled(file.text)))
    }
  }

  /// The text of a file with the summary before the builder, if it declares one.
  private func summarized(_ text: String) -> String {
    guard let summary else { return text }
    let file = SourceFile(path: "", text: text)
    let builder = file.declarations.first { $0.kind == .class && $0.name == name.text + "Builder" }
    guard let node = builder?.node else { return text }
    let space = node.leadingTrivia.prefix { $0.isWhitespace }.reduce(0) { $0 + $1.sourceLength.utf8Length }
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: node.position.utf8Offset + space)
    return text[..<start] + "// SUMMARY: \(summary)\n" + text[start...]
  }

  /// The target of the RIB; nil if the manifest does not determine it.
  private func target(in workspace: Workspace) throws -> PackageModel.Target? {
    guard let package = workspace.package else {
      if let target { throw Failure.missing("there is no Package.swift here that has a target '\(target)'") }
      return nil
    }
    let candidates = package.targets.filter { !$0.isTest }
    if let target {
      if let found = candidates.first(where: { $0.name == target }) { return found }
      let names = candidates.map(\.name).joined(separator: ", ")
      throw Failure.missing(
        "there is no target '\(target)' in Package.swift\(names.isEmpty ? "" : "; there are: \(names)")")
    }
    if let folder { return package.target(of: folder.isEmpty ? name.text : folder + "/" + name.text) }
    if let parent = parents.first {
      let path = try RIBParts.find(parent.text, in: workspace).builder.file.path
      if let found = package.target(of: path) { return found }
    }
    if candidates.count <= 1 { return candidates.first }
    if let usualTarget {
      if let found = candidates.first(where: { $0.name == usualTarget }) { return found }
      throw Failure.missing("there is no target '\(usualTarget)' in Package.swift, as \(Settings.file) says")
    }
    let names = candidates.map(\.name).joined(separator: ", ")
    throw Failure.usage("which target is it for? Say --target with one of: \(names)")
  }

  private func place(in workspace: Workspace, target: PackageModel.Target?) throws -> String {
    if let folder { return folder.isEmpty || folder == "." ? name.text : folder + "/" + name.text }
    if let parent = parents.first {
      let path = try RIBParts.find(parent.text, in: workspace).builder.file.path.split(separator: "/").dropLast()
      if target?.contains(path.joined(separator: "/")) ?? true {
        let beside = path.last.map(String.init) == parent.text ? path.dropLast() : path
        return (beside.map(String.init) + [name.text]).joined(separator: "/")
      }
    }
    guard let target else {
      let reason =
        workspace.package == nil
        ? "there is no package here: no Package.swift in '\(workspace.root.path)' or above it"
        : "no target of Package.swift can be read"
      throw Failure.usage("\(reason); say --path with the folder to put it in")
    }
    let home = target.sources.first { $0.isEmpty || !$0.hasSuffix(".swift") }.map { $0.isEmpty ? "" : $0 + "/" } ?? ""
    return target.path(of: home + "RIBs/" + name.text)
  }

  private func noteOnTests(_ target: PackageModel.Target?) -> String {
    guard let target else { return "no tests are written: no target is known for them" }
    return "no tests are written: no test target depends on \(target.name); add to Package.swift: "
      + ".testTarget(name: \"\(target.name)Tests\", dependencies: [\"\(target.name)\"])"
  }

  /// Throws if a target can't have another program.
  private func refuseOtherProgram(_ target: PackageModel.Target?, in workspace: Workspace) throws {
    guard let target else { return }
    let kind = target.call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    guard kind == "executableTarget" else {
      throw Failure.refused(
        "'\(target.name)' is no program",
        advice: ["make it an .executableTarget in Package.swift, or leave out --main"])
    }
    let program = workspace.sourcePaths.first { path in
      target.contains(path)
        && (path.hasSuffix("/main.swift") || ((try? workspace.mentions("@main", at: path)) ?? false))
    }
    if let program { throw Failure.refused("'\(target.name)' has a program already: \(program)") }
  }

  /// Throws if one of the files or types exists already.
  private func refuseTaken(
    _ files: [(path: String, text: String)], in workspace: Workspace, target: PackageModel.Target?
  ) throws {
    for file in files where workspace.exists(file.path) {
      throw Failure.refused("the name '\(name)' is taken: there is a file '\(file.path)'")
    }
    let new = Set(files.flatMap { SourceFile(path: $0.path, text: $0.text).declarations.map(\.name) })
    for source in workspace.sources(mentioning: name.text) {
      let owner = workspace.package?.target(of: source.path)
      guard target == nil || owner == nil || owner == target || owner?.isTest == true else { continue }
      for declaration in source.declarations
      where declaration.kind != .extension && declaration.namespace.isEmpty && new.contains(declaration.name) {
        throw Failure.refused("the name '\(name)' is taken: '\(declaration.name)' is declared in \(declaration.place)")
      }
    }
  }
}
