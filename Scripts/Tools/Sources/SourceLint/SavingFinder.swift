// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree

/// Finds what is wrong with saved states and routes.
struct SavingFinder {
  private let index: TypeIndex

  init(_ index: TypeIndex) { self.index = index }

  func findings() -> [Finding] {
    index.types.flatMap { type -> [Finding] in
      guard !index.isTestDouble(type.id) else { return [] }
      return unsavedChildren(of: type) + savedNodeIDs(of: type)
    }
  }

  // MARK: Routes

  private static let containers: Set<String> = ["ChildSlot", "ChildStack", "ChildList"]

  private func unsavedChildren(of type: TypeIndex.DeclaredType) -> [Finding] {
    guard type.kind == .class, index.roles(of: type.id).contains(.router) else { return [] }
    var listed: Set<String> = []
    if let property = index.property("savedChildren", of: type.id)?.facts {
      // A getter of several statements can't be judged.
      guard let value = property.value else { return [] }
      value.collectNames(into: &listed)
    }
    return type.parts.flatMap { part in
      part.facts.properties.compactMap { property -> Finding? in
        guard property.isStored, !listed.contains(property.name), let route = route(of: property),
          isCodable(route, in: index.scope(of: part))
        else { return nil }
        return Finding(
          rule: .unsavedChildren, path: index.files[part.file].path, line: property.line,
          message: "'\(property.name)' has routes that are Codable and is not saved; add "
            + "'\(property.name).saved(as: \"\(property.name)\")' to 'savedChildren' of '\(type.name)'")
      }
    }
  }

  /// The type of the routes or models of a container; nil if a property is none.
  private func route(of property: PropertyFacts) -> TypeName? {
    var name = property.type
    if name == nil, case .call(.type(let type), _)? = property.value { name = type }
    guard let name, SavingFinder.containers.contains(name.lastName) else { return nil }
    return name.arguments.first
  }

  /// Types of the standard library and of Foundation that are `Codable`, and that routes are likely to be.
  private static let codableTypes: Set<String> = [
    "Bool", "Data", "Date", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "UInt", "UInt8",
    "UInt16", "UInt32", "UInt64", "URL", "UUID",
  ]

  /// Whether a type conforms to `Codable`: a declared one, or one of `codableTypes`. Of arrays and optionals, the element
  /// decides.
  private func isCodable(_ name: TypeName, in scope: TypeIndex.Scope) -> Bool {
    let values = index.resolve(name, in: scope)
    return !values.isEmpty
      && values.allSatisfy { value in
        if case .external(let name, []) = value { return SavingFinder.codableTypes.contains(name) }
        guard let type = value.declared else { return false }
        let names = externalNames(of: type)
        return names.contains("Codable") || names.isSuperset(of: ["Encodable", "Decodable"])
      }
  }

  /// The names of all supertypes that are not in the sources.
  private func externalNames(of type: Int) -> Set<String> {
    var names: Set<String> = []
    for ancestor in index.lineage(of: type) {
      for case .external(let name, _) in index.inherited(by: ancestor) { names.insert(name) }
    }
    return names
  }

  // MARK: States

  private func savedNodeIDs(of type: TypeIndex.DeclaredType) -> [Finding] {
    guard isSaving(type.id), let state = index.property("savedState", of: type.id) else { return [] }
    let scope = index.scope(of: state.part)
    let nested = index.declared(["SavedState"], in: TypeIndex.Scope(file: type.file, path: type.path))
    var open = (state.facts.type.map { states(named: $0, in: scope) } ?? []) + [nested].compactMap { $0 }
    if let name = state.facts.type, SavingFinder.isNodeID(name) {
      return [finding("savedState", in: state.part, line: state.facts.line)]
    }
    var (seen, found) = (Set<Int>(), [Finding]())
    while let next = open.popLast() {
      guard seen.insert(next).inserted, index.types[next].kind != .class else { continue }
      for part in index.types[next].parts {
        for property in part.facts.properties where property.isStored {
          guard let name = property.type else { continue }
          if SavingFinder.isNodeID(name) {
            found.append(finding(property.name, in: part, line: property.line))
          } else {
            open += states(named: name, in: index.scope(of: part))
          }
        }
      }
    }
    return found
  }

  private func states(named name: TypeName, in scope: TypeIndex.Scope) -> [Int] {
    index.resolve(name, in: scope).compactMap(\.declared)
  }

  private func isSaving(_ type: Int) -> Bool {
    index.inherited(by: type).contains { value in
      switch value {
      case .type(let id, _): index.types[id].name == "Saving"
      case .external(let name, _): name == "Saving"
      default: false
      }
    }
  }

  private func finding(_ property: String, in part: TypeIndex.Part, line: Int) -> Finding {
    Finding(
      rule: .savedNodeID, path: index.files[part.file].path, line: line,
      message: "'\(property)' saves the id of a RIB; a restored RIB has another one: save an identity of your own")
  }

  private static func isNodeID(_ name: TypeName) -> Bool {
    switch name {
    case .list(let element): isNodeID(element)
    case .tuple(let elements): elements.contains { isNodeID($0.type) }
    default: name.lastName == "NodeID"
    }
  }
}
