// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Rewrites RIBs that were written for uber/RIBs-iOS with RxSwift, or for ModernRIBs with Combine, where the new code
/// follows from the old.
public struct Migrate {
  /// The folders and files to migrate, relative to the workspace; an empty one for all of it.
  public var folders: [String]
  /// The folders and files to rewrite, of those to migrate, which are read to know what the names in them mean; empty for
  /// all.
  public var only: [String] = []
  /// Whether to leave files alone that import a framework for views and declare no part of a RIB but a view.
  public var leavesViews = false

  public init(folders: [String]) { self.folders = folders }

  /// What was rewritten.
  public struct Summary: Sendable {
    /// The number of rewritten files.
    public internal(set) var files = 0
    /// The number of rewrites of each kind.
    public internal(set) var counts: [String: Int] = [:]
    /// What the user has to do by hand.
    public internal(set) var notes: [String] = []

    /// The counts in one line.
    public var text: String {
      if files == 0 { return "nothing to migrate" }
      let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "migrated \(files) file\(files == 1 ? "" : "s"): " + parts.joined(separator: ", ")
    }
  }

  /// Rewrites the files.
  ///
  /// - Throws: `Failure.refused` if something can't be rewritten, with each place and what to do there. The workspace is
  ///   unchanged then. `Failure.missing` if there are no Swift files in a folder.
  public func apply(to workspace: Workspace) throws -> Summary {
    let sources = workspace.paths.filter { $0.hasSuffix(".swift") && $0.split(separator: "/").last != "Package.swift" }
    func isBelow(_ path: String, _ folder: String) -> Bool {
      folder.isEmpty || path == folder || path.hasPrefix(folder + "/")
    }
    if let empty = folders.first(where: { folder in !sources.contains { isBelow($0, folder) } }) {
      throw Failure.missing("there is no Swift file below '\(empty.isEmpty ? "." : empty)'")
    }
    let paths = sources.filter { path in folders.contains { isBelow(path, $0) } }
    if let other = only.first(where: { only in !paths.contains { isBelow($0, only) } }) {
      throw Failure.missing("there is no Swift file below '\(other.isEmpty ? "." : other)' in what is migrated")
    }
    let files = try paths.map { try workspace.source(at: $0) }
    let context = MigrationContext(files)
    var summary = Summary()
    var refusals: [String] = []
    var edits: [(path: String, edits: [TextEdit])] = []
    for file in files {
      let reader = MigrationReader(file, context)
      guard reader.style != nil, only.isEmpty || only.contains(where: { isBelow(file.path, $0) }),
        !(leavesViews && context.isView(file))
      else { continue }
      reader.read()
      refusals += reader.refusals.sorted { $0.position < $1.position }.map { "\(file.path):\($0.line): \($0.reason)" }
      summary.notes += reader.notes
      summary.counts.merge(reader.counts, uniquingKeysWith: +)
      if !reader.edits.isEmpty { edits.append((file.path, reader.edits)) }
    }
    guard refusals.isEmpty else {
      let places = refusals.count == 1 ? "1 place has" : "\(refusals.count) places have"
      throw Failure.refused("\(places) to be changed by hand first:", advice: refusals)
    }
    try workspace.refuseLinked(edits.map(\.path))
    let start = workspace.mark()
    do {
      let tidy = try tidyPaths(edits.map(\.path), in: workspace)
      for (path, edits) in edits { try workspace.edit(path, edits) }
      for (path, text) in zip(tidy, try laidOut(tidy, in: workspace)) { workspace.write(text, to: path) }
    } catch {
      workspace.goBack(to: start)
      throw error
    }
    summary.files = edits.count
    if summary.counts["imports"] != nil {
      summary.notes.append(
        "the targets now need the product RIBs of swift-ribs, and RxCompatibility where it is imported, which "
          + "'ribs add RxCompatibility' writes")
    }
    return summary
  }

  /// The files that are as the formatter lays them out, and should be so afterwards.
  private func tidyPaths(_ paths: [String], in workspace: Workspace) throws -> [String] {
    let texts = try laidOut(paths, in: workspace)
    return try zip(paths, texts).filter { try workspace.source(at: $0).text == $1 }.map(\.0)
  }

  private func laidOut(_ paths: [String], in workspace: Workspace) throws -> [String] {
    try Formatter.laidOut(paths.map { ($0, try workspace.source(at: $0).text) }, near: workspace.root)
  }
}

/// What all files together say about the names in them.
struct MigrationContext {
  /// The role of a class in a RIB.
  enum Role {
    case interactor, worker, router, presenter
  }

  /// The properties that are subjects of Combine.
  private(set) var subjects: Set<String> = []
  /// The properties and functions that are publishers of Combine.
  private(set) var publishers: Set<String> = []
  /// The properties that are sets of subscriptions of Combine.
  private(set) var bags: Set<String> = []
  /// The types that the files declare.
  private(set) var ownTypes: Set<String> = []
  /// The functions that the files declare in types, and all members that they declare in extensions.
  private(set) var ownMembers: Set<String> = []
  /// The modules that the files export.
  private(set) var exported: Set<String> = []
  private var constantBags: Set<String> = []
  private var variableBags: Set<String> = []
  private var inherited: [String: [String]] = [:]
  private var declared: [String: Set<String>] = [:]

  init(_ files: [SourceFile]) {
    for file in files {
      exported.formUnion(
        MigrationReader.imports(of: file).filter { $0.attributes.trimmedDescription.contains("@_exported") }
          .map(MigrationReader.module))
      for declaration in file.declarations {
        if declaration.kind == .class { inherited[declaration.name, default: []] += declaration.inherited }
        declared[declaration.name, default: []].formUnion(
          declaration.functions.map(\.name.text)
            + declaration.variables.flatMap(\.bindings).map(\.pattern.trimmedDescription))
        for variable in declaration.variables { note(variable) }
        for function in declaration.functions where isPublisher(function.signature.returnClause?.type) {
          publishers.insert(function.name.text)
        }
        ownMembers.formUnion(declaration.functions.map(\.name.text))
        if declaration.kind == .extension {
          ownMembers.formUnion(declaration.variables.flatMap(\.bindings).map(\.pattern.trimmedDescription))
        } else {
          ownTypes.insert(declaration.name)
        }
      }
    }
  }

  private func isPublisher(_ type: TypeSyntax?) -> Bool { type.map { Declaration.baseName(of: $0) } == "AnyPublisher" }

  private mutating func note(_ variable: VariableDeclSyntax) {
    for binding in variable.bindings {
      let name = binding.pattern.trimmedDescription
      let text = binding.typeAnnotation?.type.trimmedDescription ?? binding.initializer?.value.trimmedDescription ?? ""
      if text.hasPrefix("CurrentValueSubject") || text.hasPrefix("PassthroughSubject") { subjects.insert(name) }
      if text.hasPrefix("Set<AnyCancellable>") { bags.insert(name) }
      if text.hasPrefix("DisposeBag") {
        if variable.bindingSpecifier.text == "let" { constantBags.insert(name) } else { variableBags.insert(name) }
      }
      if isPublisher(binding.typeAnnotation?.type) { publishers.insert(name) }
    }
  }

  /// Whether the properties of a name are bags that are never replaced.
  func isConstantBag(_ name: String) -> Bool { constantBags.contains(name) && !variableBags.contains(name) }

  /// The members of a class and of its superclasses, with those of the runtime that interactors use by name.
  func members(of name: String) -> Set<String> {
    var members: Set<String> = ["presenter", "isActive", "isActiveStream"]
    var names = [name]
    var visited: Set<String> = []
    while let next = names.popLast() {
      guard visited.insert(next).inserted else { continue }
      members.formUnion(declared[next] ?? [])
      names += inherited[next] ?? []
    }
    return members
  }

  private static let viewModules: Set<String> = ["AppKit", "Cocoa", "SwiftUI", "TVUIKit", "UIKit", "WatchKit"]

  /// Whether a file imports a framework for views, and declares no interactor, worker, router or builder.
  func isView(_ file: SourceFile) -> Bool {
    let modules = MigrationReader.imports(of: file).map(MigrationReader.module)
    let classes = file.declarations.filter { $0.kind == .class }
    return !Self.viewModules.isDisjoint(with: modules)
      && !classes.contains { role(of: $0.name) != nil || $0.inherited.contains { $0.hasSuffix("Builder") } }
  }

  /// The role of a class, by its superclasses.
  func role(of name: String) -> Role? {
    var names = [name]
    var visited: Set<String> = []
    while let next = names.popLast() {
      switch next {
      case "Interactor", "PresentableInteractor": return .interactor
      case "Worker": return .worker
      case "Router", "ViewableRouter", "LaunchRouter": return .router
      case "Presenter": return .presenter
      default: if visited.insert(next).inserted { names += inherited[next] ?? [] }
      }
    }
    return nil
  }
}
