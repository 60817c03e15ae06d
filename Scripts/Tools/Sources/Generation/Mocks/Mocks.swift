// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax

/// Generates mocks of the protocols in sources.
///
/// Each mock counts calls, records arguments, and calls a handler that the test sets. The output is deterministic and
/// does not depend on the location of the sources.
public struct Mocks {
  /// The files and folders with the protocols, relative to the package; empty for all non-test targets.
  public var paths: [String]
  /// The output file, relative to the package; nil if unknown.
  public var output: String?

  /// The text that a file of mocks begins with, in a comment.
  private static let mark = "Written by 'ribs mocks'"

  public init(paths: [String], output: String? = nil) {
    self.paths = paths
    self.output = output
  }

  /// Generates the mocks.
  ///
  /// - Returns: the text of a file, and notes for the user, such as omitted protocols.
  /// - Throws: `Failure.missing` if a path does not exist, or if there is no protocol; `Failure.refused` if a source
  ///   can't be read, or if the output file exists and is no file of mocks.
  public func text(in workspace: Workspace) throws -> (text: String, notes: [String]) {
    try workspace.refuseUnreadable(mentioning: [])
    if let output, workspace.exists(output), try !workspace.mentions(Mocks.mark, at: output) {
      throw Failure.refused(
        "'\(output)' was not written by 'ribs mocks', which replaces the whole file",
        advice: ["name another file with --output"])
    }
    let library = ProtocolLibrary(workspace: workspace)
    let sources = try sources(in: workspace)
    var notes: [String] = []
    var mocked = try protocols(in: sources, workspace, library, &notes)
    guard !mocked.isEmpty else {
      let places = paths.isEmpty ? "the targets of this package" : paths.joined(separator: ", ")
      throw Failure.missing(
        (["there is no protocol to mock in \(places)"] + notes).joined(separator: "\n  "))
    }
    var defaults = DefaultValues()
    addViews(to: &mocked, library)
    // Mocks that can be created without arguments make others possible.
    var count = -1
    while count < defaults.mocks.count {
      count = defaults.mocks.count
      for one in mocked where one.isPlain {
        let mock = MockClass(mocked: one, library: library, defaults: defaults)
        if mock.isMadeWithoutArguments { defaults.mocks[one.name] = one.mockName }
      }
    }
    let classes = mocked.map { MockClass(mocked: $0, library: library, defaults: defaults) }
    let head = header(
      sources.filter { source in mocked.contains { $0.declaration.file.path == source.path } }, workspace)
    let needsLock = classes.contains { $0.isLocked }
    let text =
      "// \(Mocks.mark), which writes it anew: change the protocols instead.\n\n"
      + (head + (needsLock ? ["import Foundation"] : [])).uniqued().joined(separator: "\n") + "\n\n"
      + classes.map { $0.text() }.joined(separator: "\n")
    let laidOut = try Formatter.laidOut([(output ?? "Mocks.swift", text)], near: workspace.root)
    return (laidOut.first ?? text, notes)
  }

  private func sources(in workspace: Workspace) throws -> [SourceFile] {
    var found: Set<String> = []
    for path in paths {
      let isEverything = path.isEmpty || path == "."
      let inside = workspace.paths.filter {
        $0.hasSuffix(".swift") && ($0 == path || isEverything || $0.hasPrefix(path + "/"))
      }
      if inside.isEmpty { throw Failure.missing("there is no Swift file '\(path)', and none below it") }
      found.formUnion(inside)
    }
    if paths.isEmpty {
      found = Set(workspace.sourcePaths.filter { workspace.package?.target(of: $0)?.isTest != true })
    }
    if let output { found.remove(output) }
    // Reads no file without a protocol: parsing takes most of the time.
    return try found.sorted().filter { try workspace.mentions("protocol ", at: $0) }.map {
      try workspace.source(at: $0)
    }
  }

  private func protocols(
    in sources: [SourceFile], _ workspace: Workspace, _ library: ProtocolLibrary, _ notes: inout [String]
  ) throws -> [MockedProtocol] {
    var mocked: [MockedProtocol] = []
    var names: [String: Declaration] = [:]
    let taken = taken(in: workspace, beside: sources)
    for source in sources where source.text.contains("protocol ") {
      for declaration in source.declarations where declaration.kind == .protocol {
        let modifiers = declaration.node.as(ProtocolDeclSyntax.self)?.modifiers.map(\.name.text) ?? []
        if modifiers.contains("private") || modifiers.contains("fileprivate") { continue }
        let one = MockedProtocol(declaration, in: library)
        let name = (declaration.namespace + [one.mockName]).joined(separator: ".")
        if let reason = MockClass(mocked: one, library: library, defaults: DefaultValues()).reasonAgainst {
          notes.append("'\(declaration.name)' (\(declaration.place)) is left out: \(reason)")
        } else if let other = names[name] {
          notes.append("'\(declaration.name)' (\(declaration.place)) is left out: it is in \(other.place) too")
        } else if let other = taken[name] {
          notes.append("'\(declaration.name)' (\(declaration.place)) is left out: there is a mock in \(other.place)")
        } else {
          names[name] = declaration
          mocked.append(one)
        }
      }
    }
    return mocked
  }

  /// Existing types with names of mocks in the same scope. Without a package, the scope is the innermost folder that
  /// contains the sources and the output file, because other apps may be next to it.
  private func taken(in workspace: Workspace, beside sources: [SourceFile]) -> [String: Declaration] {
    let folders = (sources.map(\.path) + [output].compactMap { $0 }).map { $0.split(separator: "/").dropLast() }
    let shared = folders.dropFirst().reduce(Array(folders.first ?? [])) { shared, other in
      zip(shared, other).prefix { $0 == $1 }.map(\.0)
    }
    let target = output.flatMap { workspace.package?.target(of: $0) }
    var found: [String: Declaration] = [:]
    for file in workspace.sources(mentioning: "Mock") where file.path != output {
      if workspace.package == nil, !file.path.split(separator: "/").starts(with: shared) { continue }
      let other = workspace.package?.target(of: file.path)
      guard output == nil ? other?.isTest != true : target == other else { continue }
      for declaration in file.declarations where declaration.kind != .extension && declaration.name.hasSuffix("Mock") {
        found[(declaration.namespace + [declaration.name]).joined(separator: ".")] = declaration
      }
    }
    return found
  }

  /// Adds mocks of views. Routers with a view need one, and RIBs has none that a test could create.
  private func addViews(to mocked: inout [MockedProtocol], _ library: ProtocolLibrary) {
    let isNeeded = mocked.contains { one in
      one.requirements.contains {
        $0.node.as(VariableDeclSyntax.self)?.bindings.first?.typeAnnotation?.type.trimmedDescription
          == "any ViewControllable"
      }
    }
    guard isNeeded, !mocked.contains(where: { $0.name == "ViewControllable" }), let first = mocked.first,
      let view = library.find("ViewControllable", from: first.declaration)
    else { return }
    mocked.append(MockedProtocol(view, in: library))
  }

  /// The imports of the sources, and the modules that contain them.
  private func header(_ sources: [SourceFile], _ workspace: Workspace) -> [String] {
    var imports: Set<String> = []
    var modules: Set<String> = []
    let own = output.flatMap { workspace.package?.target(of: $0)?.module }
    for source in sources {
      for statement in source.syntax.statements {
        guard let node = statement.item.as(ImportDeclSyntax.self) else { continue }
        let attributes = node.attributes.map(\.trimmedDescription).filter {
          $0 == "@preconcurrency" || $0.hasPrefix("@_spi")
        }
        let kind = node.importKindSpecifier.map { $0.text + " " } ?? ""
        imports.insert((attributes + ["import \(kind)\(node.path.trimmedDescription)"]).joined(separator: " "))
      }
      if let module = workspace.package?.target(of: source.path)?.module, module != own { modules.insert(module) }
    }
    let conditional = sources.flatMap { source in
      source.syntax.statements.compactMap { $0.item.as(IfConfigDeclSyntax.self) }.compactMap(MockText.imports)
    }
    imports.subtract(modules.map { "import " + $0 })
    imports.remove("import " + (own ?? ""))
    return imports.sorted() + Set(conditional).sorted() + [""] + modules.sorted().map { "@testable import " + $0 }
  }
}

extension [String] {
  /// The elements without duplicates, except that empty ones are kept.
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { $0.isEmpty || seen.insert($0).inserted }
  }
}
