// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel

/// All types of a scan with their extensions, and the resolution of type names.
package final class TypeIndex {
  /// A declaration or an extension, and its file.
  package struct Part {
    package let file: Int
    package let facts: TypeFacts
  }

  /// A type with all its declarations and extensions.
  package struct DeclaredType {
    package let id: Int
    package fileprivate(set) var parts: [Part]

    package var kind: Declaration.Kind { parts[0].facts.kind }
    package var path: [String] { parts[0].facts.path }
    package var name: String { parts[0].facts.name }
    package var file: Int { parts[0].file }
    package var line: Int { parts[0].facts.line }
  }

  /// The scope in which a name is resolved.
  package struct Scope {
    package var file: Int
    /// The enclosing types.
    package var path: [String]
    package var generics: [String: TypeName]

    package init(file: Int, path: [String], generics: [String: TypeName] = [:]) {
      self.file = file
      self.path = path
      self.generics = generics
    }
  }

  package let files: [FileFacts]
  package private(set) var types: [DeclaredType] = []
  private var byPath: [String: [Int]] = [:]
  /// The folders of each file.
  private let folders: [[Substring]]
  private let imports: [Set<String>]
  private let copies: Copies
  /// The direct subtypes of each type.
  package private(set) var subtypes: [Int: [Int]] = [:]
  private var parentsOf: [Int: [Int]] = [:]
  /// The direct subtypes of types that are not in the sources, by the names of those types.
  package private(set) var subtypesOfExternal: [String: [Int]] = [:]

  package init(_ files: [FileFacts]) {
    self.files = files
    folders = files.map { $0.path.split(separator: "/").dropLast().map { $0 } }
    imports = files.map { Set($0.imports) }
    copies = Copies(files, folders: folders)
    collectTypes()
    collectExtensions()
    for type in types {
      let inherited = inherited(by: type.id)
      for case .external(let name, _) in inherited { subtypesOfExternal[name, default: []].append(type.id) }
      let parents = inherited.compactMap(\.declared)
      parentsOf[type.id] = parents
      for parent in parents { subtypes[parent, default: []].append(type.id) }
    }
  }

  private func collectTypes() {
    for (file, facts) in files.enumerated() {
      var own: [String: Int] = [:]
      for type in facts.types where type.kind != .extension {
        let key = type.path.joined(separator: ".")
        // Conditional compilation may declare a type twice.
        if let id = own[key] {
          types[id].parts.append(Part(file: file, facts: type))
          continue
        }
        own[key] = types.count
        byPath[key, default: []].append(types.count)
        types.append(DeclaredType(id: types.count, parts: [Part(file: file, facts: type)]))
      }
    }
  }

  private func collectExtensions() {
    for (file, facts) in files.enumerated() {
      for type in facts.types where type.kind == .extension {
        let scope = Scope(file: file, path: [])
        guard let id = declared(type.path, in: scope) else { continue }
        let target = types[id].facts.alias.flatMap { resolve($0, in: scope).first?.declared } ?? id
        types[target].parts.append(Part(file: file, facts: type))
      }
    }
  }

  // MARK: Names

  /// The type that a name refers to.
  package func declared(_ path: [String], in scope: Scope) -> Int? {
    for count in (0...scope.path.count).reversed() {
      let key = (scope.path[..<count] + path).joined(separator: ".")
      if let candidates = byPath[key], let found = nearestVisible(candidates, to: scope.file) { return found }
    }
    guard path.count > 1, let candidates = byPath[path.dropFirst().joined(separator: ".")] else { return nil }
    let ofModule = candidates.filter { belongs(types[$0].file, toModule: path[0]) }
    return nearestVisible(ofModule, to: scope.file)
  }

  /// The nearest of some types with the same name that are not in another copy of the app.
  private func nearestVisible(_ candidates: [Int], to file: Int) -> Int? {
    nearest(candidates.filter { !areSeparate(types[$0].file, file) }, to: file)
  }

  /// Whether two files are in different copies of an app, and neither imports the other's module.
  package func areSeparate(_ one: Int, _ other: Int) -> Bool {
    copies.areSeparate(one, other) && !isImported(files[one].module, by: other)
      && !isImported(files[other].module, by: one)
  }

  private func isImported(_ module: String, by file: Int) -> Bool { imports[file].contains(module) }

  /// Whether a file is in a module, according to a manifest, or else to its folders.
  private func belongs(_ file: Int, toModule name: String) -> Bool {
    let facts = files[file]
    if facts.module == name { return true }
    return (facts.module.isEmpty || facts.isModuleGuessed) && folders[file].contains { $0 == name }
  }

  /// The name of the RIB that a type belongs to: `Order` for `OrderBuilder`, `Settings` for `Settings.Builder`, and
  /// the module's name for a top-level `Builder`.
  package func ribName(of type: Int) -> String {
    let stem = BuilderNames.stem(types[type].path)
    if !stem.isEmpty { return stem }
    let file = types[type].file
    if !files[file].module.isEmpty { return files[file].module }
    let sources: Set<Substring> = ["Source", "Sources", "Classes", "RIB", "RIBs", "Src"]
    return folders[file].last { !sources.contains($0) }.map(String.init) ?? types[type].name
  }

  /// Whether a type belongs to the runtime, rather than having the same name by chance.
  package func isRuntime(_ type: Int) -> Bool {
    guard types[type].path.count == 1, BuilderNames.isRuntime(types[type].name) else { return false }
    // A RIB in its own module may use the runtime's names for its parts.
    let own: Set<String> = [
      "Router", "ViewableRouter", "LaunchRouter", "Builder", "ComponentizedBuilder", "Buildable", "ViewableRouting",
      "LaunchRouting", "ModelRouting",
    ]
    guard ["Router", "Builder", "Buildable", "Routing"].contains(types[type].name) else { return true }
    return !inherited(by: type).contains { value in
      switch value {
      case .type(let id, _): own.contains(types[id].name) && types[id].kind == types[type].kind
      case .external(let name, _):
        own.contains(name) && (name.hasSuffix("er") == (types[type].kind == .class))
          || (name == "Routing" && types[type].kind == .protocol)
      default: false
      }
    }
  }

  /// The nearest of some types with the same name: same file, same module, imported module, closest folder.
  package func nearest(_ candidates: [Int], to file: Int) -> Int? {
    if candidates.count < 2 { return candidates.first }
    return candidates.max { nearness(of: $0, to: file) < nearness(of: $1, to: file) }
  }

  private func nearness(of type: Int, to file: Int) -> (Int, Int) {
    let other = types[type].file
    if other == file { return (3, 0) }
    let module = files[other].module
    let common = zip(folders[other], folders[file]).prefix { $0 == $1 }.count
    if module == files[file].module { return (2, common) }
    return (imports[file].contains(module) ? 1 : 0, common)
  }

  /// The values of a type name, with type aliases resolved.
  package func resolve(_ name: TypeName, in scope: Scope, depth: Int = 0) -> [Value] {
    guard depth < 12 else { return [] }
    switch name {
    case .named(let path, let arguments):
      if path.count == 1, let constraint = scope.generics[path[0]] {
        var outer = scope
        outer.generics[path[0]] = nil
        return resolve(constraint, in: outer, depth: depth + 1)
      }
      if path == ["Self"], let id = declared(scope.path, in: Scope(file: scope.file, path: [])) {
        return [.type(id, [])]
      }
      let values = arguments.map { Value.any(resolve($0, in: scope, depth: depth + 1)) }
      guard let id = declared(path, in: scope) else { return [.external(path.last ?? "", values)] }
      if let alias = types[id].facts.alias {
        let part = types[id].parts[0]
        let inner = Scope(file: part.file, path: Array(part.facts.path.dropLast()))
        // An alias for its own name refers to another module.
        if alias.lastName == path.last { return [.external(alias.lastName, values)] }
        return resolve(alias, in: inner, depth: depth + 1)
      }
      return [.type(id, values)]
    case .function(let result): return [.function(resolve(result, in: scope, depth: depth + 1))]
    case .tuple(let elements):
      return [
        .tuple(
          elements.map { Value.Element(label: $0.label, values: resolve($0.type, in: scope, depth: depth + 1)) })
      ]
    case .list(let element): return resolve(element, in: scope, depth: depth + 1)
    case .composition(let parts): return parts.flatMap { resolve($0, in: scope, depth: depth + 1) }
    case .unknown: return []
    }
  }

  /// The supertypes of a type.
  package func inherited(by type: Int) -> [Value] {
    types[type].parts.flatMap { part in
      part.facts.inherited.flatMap { name -> [Value] in
        let scope = Scope(file: part.file, path: Array(part.facts.path.dropLast()), generics: part.facts.generics)
        // `class Router: Router<Interactable>` in a namespace inherits from the outer type.
        return resolve(name, in: scope).map { value in
          guard let id = value.declared else { return value }
          let takesArguments = !types[id].facts.generics.isEmpty || types[id].kind == .protocol
          return id == type || (!value.arguments.isEmpty && !takesArguments)
            ? .external(name.lastName, value.arguments) : value
        }
      }
    }
  }

  /// The direct supertypes of a type that are declared in the sources.
  package func parents(of type: Int) -> [Int] { parentsOf[type] ?? [] }

  /// A type and all its supertypes, nearest first.
  package func lineage(of type: Int) -> [Int] {
    var found = [type]
    var next = 0
    while next < found.count {
      for parent in parents(of: found[next]) where !found.contains(parent) { found.append(parent) }
      next += 1
    }
    return found
  }

  /// A type and all its supertypes, up to the runtime's types.
  package func ownLineage(of type: Int) -> [Int] {
    var found = [type]
    var next = 0
    while next < found.count {
      for parent in parents(of: found[next]) where !found.contains(parent) && !isRuntime(parent) {
        found.append(parent)
      }
      next += 1
    }
    return found
  }

  /// All direct and indirect subtypes of a type.
  package func descendants(of type: Int) -> [Int] {
    var found: [Int] = []
    var open = subtypes[type] ?? []
    while let next = open.popLast() {
      guard !found.contains(next) else { continue }
      found.append(next)
      open += subtypes[next] ?? []
    }
    return found.sorted()
  }

  // MARK: Members

  package func scope(of part: Part, generics: [String: TypeName] = [:]) -> Scope {
    Scope(
      file: part.file, path: part.facts.path, generics: part.facts.generics.merging(generics) { _, inner in inner })
  }

  /// The property with a name, of the type or of its supertypes.
  package func property(_ name: String, of type: Int) -> (owner: Int, part: Part, facts: PropertyFacts)? {
    for owner in lineage(of: type) {
      for part in types[owner].parts {
        if let found = part.facts.properties.first(where: { $0.name == name }) { return (owner, part, found) }
      }
    }
    return nil
  }

  /// The functions with a name, of the type or else of its supertypes.
  package func functions(_ name: String, of type: Int) -> [(owner: Int, part: Part, facts: FunctionFacts)] {
    for owner in lineage(of: type) {
      let found = types[owner].parts.flatMap { part in
        part.facts.functions.filter { $0.name == name }.map { (owner, part, $0) }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Whether a type is a test double by its name: `OrderRouterMock`, or `MockOrderRouter` if there is an `OrderRouter`. The
  /// router of a RIB `DoubleRoom` is none.
  package func isTestDouble(_ type: Int) -> Bool {
    let name = types[type].name
    let words = ["Mock", "Stub", "Spy", "Fake", "Dummy", "Double"]
    if words.contains(where: name.hasSuffix) { return true }
    guard let word = words.first(where: name.hasPrefix) else { return false }
    let rest = name.dropFirst(word.count)
    let supertypes = types[type].parts.flatMap { $0.facts.inherited.map(\.lastName) }
    let stem = BuilderNames.stem([name])
    guard rest.first?.isUppercase == true, !supertypes.contains(where: { $0.hasPrefix(stem) }) else { return false }
    return byPath[String(rest)] != nil || supertypes.contains { $0.hasPrefix(rest) }
  }
}

extension TypeIndex.DeclaredType {
  /// The facts of the declaration itself.
  package var facts: TypeFacts { parts[0].facts }
}
