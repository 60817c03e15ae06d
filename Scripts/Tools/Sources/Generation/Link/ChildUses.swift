// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// The members of a parent's router that exist for one child. Found by type and data flow, regardless of their names.
struct ChildUses {
  /// The class and its extensions.
  let pieces: [Declaration]
  /// The stored properties that hold the child's builder: `chatBuilder`, `chatBuildable`.
  let builders: Set<String>
  /// All names by which the router has a builder of the child: those of its properties, those of members of another
  /// object, as in `component.chatBuilder`, and the type, as in `ChatBuilder(dependency: component)`.
  let sources: Set<String>
  /// The types nested in the router whose stored properties hold builders, such as `Deps`.
  let nested: [Declaration]
  /// The stored properties that hold only the child: `chat`, `currentChat`.
  let children: Set<String>
  /// Those of `children` that an initializer takes: the parent's builder builds the child.
  let handed: Set<String>
  /// The names by which the router has builders of other children, or their slots.
  let otherBuilders: Set<String>
  /// The stored properties that hold only other children.
  let otherChildren: Set<String>
  /// The methods that build, attach or detach the child and use no other child.
  let methods: Set<String>
  /// The property that holds the child in a slot of its own; nil if there is none.
  let slot: String?

  /// Methods called by the framework or by the parent's parent, regardless of children.
  private static let kept: Set<String> = ["cleanupViews", "didLoad"]

  /// The types of properties that hold a child of any kind.
  private static let generalTypes: Set<String> = [
    "Routing", "ViewableRouting", "LaunchRouting", "Router", "ViewableRouter", "LaunchRouter",
  ]

  /// - Parameter slot: the property that holds the child in a slot of its own; nil if there is none.
  init(of child: ChildParts, in parent: RIBParts, workspace: Workspace, slot: String? = nil) {
    let name = parent.router.name
    let pieces = workspace.declarations(mentioning: name)
      .filter { $0.name == name && ($0.kind == .class || $0.kind == .extension) }
    let stored = parent.router.variables.filter(\.isStored)
    func named(_ fits: (String) -> Bool) -> Set<String> {
      Set(stored.filter { $0.typeName.map(fits) ?? false }.compactMap(\.firstName))
    }
    let nested = workspace.declarations(mentioning: name)
      .filter { $0.namespace == [name] && $0.kind == .struct && $0.initializers.isEmpty }
    let nestedProperties = nested.flatMap(\.variables).filter(\.isStored)
    func held(_ fits: (String) -> Bool) -> Set<String> {
      named(fits).union(nestedProperties.filter { $0.typeName.map(fits) ?? false }.compactMap(\.firstName))
    }
    let types: Set<String> = [child.name + "Buildable", child.name + "Builder"]
    let builders = held(types.contains)
    let functions = pieces.flatMap(\.functions)
    let foreign = BuilderUses(in: functions, workspace)
    let sources = builders.union(foreign.names { types.contains($0) })
    // A composition of protocols is no builder itself.
    var others = held { ($0.hasSuffix("Buildable") || $0.hasSuffix("Builder")) && !$0.contains("&") }
      .union(foreign.names { !types.contains($0) }).subtracting(sources)

    let typed = named { $0 == child.name + "Routing" || $0 == child.name + "Router" }
    var children = typed
    let all = Set(stored.compactMap(\.firstName))
    let assigned = Set(functions.flatMap { AssignmentFinder.targets(in: $0, from: others) })
    let mine = Set(functions.flatMap { AssignmentFinder.targets(in: $0, from: sources) })
    children.formUnion(mine.intersection(all).subtracting(assigned).subtracting(builders))
    if let slot {
      children.insert(slot)
      // What sets the routes of other slots, too, is not only about this child.
      others.formUnion(stored.filter(\.isContainer).compactMap(\.firstName).filter { $0 != slot })
    }
    let otherTyped = named { type in
      (type.hasSuffix("Routing") || type.hasSuffix("Router")) && !ChildUses.generalTypes.contains(type)
    }
    let otherChildren = otherTyped.union(assigned).intersection(all).subtracting(mine).subtracting(children)
      .subtracting(sources).subtracting(others)
    let own = sources.union(children)
    let removed = functions.filter { function in
      // A local constant may have the name of the slot.
      let names = slot.map { MemberCheck.uses($0, in: function) ? own : own.subtracting([$0]) } ?? own
      let builds = function.body?.mentions(sources) ?? false
      return function.isOnly(for: names, not: builds ? others : others.union(otherChildren))
        && !ChildUses.isKept(function)
    }
    let remaining = functions.filter { function in !removed.contains { $0.id == function.id } }
    self.pieces = pieces
    self.nested = nested
    self.builders = builders
    self.sources = sources
    self.children = children
    let taken = Set(
      parent.router.initializers.flatMap { $0.signature.parameterClause.parameters }.map(\.firstName.text))
    handed = typed.intersection(taken)
    otherBuilders = others
    self.otherChildren = otherChildren
    self.slot = slot
    methods = Set(removed.map(\.name.text)).subtracting(remaining.map(\.name.text))
  }

  private static func isKept(_ function: FunctionDeclSyntax) -> Bool {
    kept.contains(function.name.text) || function.modifiers.contains { $0.name.text == "override" }
  }
}

/// The builders that functions use and that are no properties of their type: members of other objects, and types.
private struct BuilderUses {
  /// The type of each, by name.
  private var types: [String: String] = [:]

  init(in functions: [FunctionDeclSyntax], _ workspace: Workspace) {
    for function in functions {
      for token in function.tokens(viewMode: .sourceAccurate) {
        guard case .identifier(let name) = token.tokenKind, name.hasSuffix("Builder") || name.hasSuffix("Buildable"),
          types[name] == nil, let reference = token.parent?.as(DeclReferenceExprSyntax.self)
        else { continue }
        let access = reference.parent?.as(MemberAccessExprSyntax.self)
        if let access, access.declName.id == reference.id {
          guard let base = access.base?.trimmedDescription, !["self", "self?"].contains(base) else { continue }
          types[name] = BuilderUses.type(ofMember: name, in: workspace)
        } else if name.first?.isUppercase == true, !workspace.paths(mentioning: "class " + name).isEmpty {
          types[name] = name
        }
      }
    }
  }

  /// The names of the builders whose types satisfy a condition.
  func names(_ fits: (String) -> Bool) -> Set<String> { Set(types.filter { fits($0.value) }.keys) }

  /// The type with which a property is declared in the component, or in the protocol of a dependency.
  private static func type(ofMember name: String, in workspace: Workspace) -> String? {
    let types = workspace.declarations(mentioning: name).filter { !$0.name.hasSuffix("Router") }
      .compactMap { $0.variable(named: name)?.typeName }.filter { $0.hasSuffix("Builder") || $0.hasSuffix("Buildable") }
    // The class and its protocol are the same builder.
    let builders = Set(types.map { $0.hasSuffix("Builder") ? $0.dropLast("er".count) + "able" : $0 })
    return builders.count == 1 ? builders.first : nil
  }
}

/// Finds the targets assigned from a property in a function, directly or through local constants.
private final class AssignmentFinder: SyntaxVisitor {
  private(set) var targets: Set<String> = []
  private var sources: Set<String>

  static func targets(in function: FunctionDeclSyntax, from sources: Set<String>) -> Set<String> {
    let finder = AssignmentFinder(sources)
    finder.walk(function)
    return finder.targets
  }

  private init(_ sources: Set<String>) {
    self.sources = sources
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.mentions(sources), let name = node.firstName { sources.insert(name) }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements)
    if elements.count >= 3, elements[1].is(AssignmentExprSyntax.self),
      elements[2...].contains(where: { $0.mentions(sources) }),
      let target = elements[0].trimmedDescription.split(separator: ".").last
    {
      targets.insert(String(target))
    }
    return .visitChildren
  }
}

extension SyntaxProtocol {
  /// Whether it uses one of some names.
  func mentions(_ names: Set<String>) -> Bool {
    guard !names.isEmpty else { return false }
    return tokens(viewMode: .sourceAccurate).contains { token in
      if case .identifier(let name) = token.tokenKind { names.contains(name) } else { false }
    }
  }
}

extension FunctionDeclSyntax {
  /// Whether the body uses one of some names, and none of others.
  fileprivate func isOnly(for own: Set<String>, not others: Set<String>) -> Bool {
    body.map { $0.mentions(own) && !$0.mentions(others) } ?? false
  }
}

extension VariableDeclSyntax {
  /// Whether its value is a slot or a stack of children.
  fileprivate var isContainer: Bool {
    let callee = bindings.first?.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
    return callee.map { $0.hasPrefix("ChildSlot") || $0.hasPrefix("ChildStack") } ?? false
  }

  /// The name of the property's annotated type.
  var typeName: String? { (bindings.first?.typeAnnotation?.type).map { Declaration.baseName(of: $0) } }
}
