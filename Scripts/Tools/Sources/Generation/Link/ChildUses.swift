import SourceModel
import SwiftSyntax

/// The members of a parent's router that exist for one child. Found by type and data flow, regardless of their names.
struct ChildUses {
  /// The class and its extensions.
  let pieces: [Declaration]
  /// The stored properties that hold the child's builder: `chatBuilder`, `chatBuildable`.
  let builders: Set<String>
  /// The types nested in the router whose stored properties hold builders, such as `Deps`.
  let nested: [Declaration]
  /// The stored properties that hold only the child: `chat`, `currentChat`.
  let children: Set<String>
  /// The stored properties that hold builders of other children.
  let otherBuilders: Set<String>
  /// The methods that build, attach or detach the child and use no other child.
  let methods: Set<String>

  /// Methods called by the framework or by the parent's parent, regardless of children.
  private static let kept: Set<String> = ["cleanupViews", "didLoad"]

  init(of child: ChildParts, in parent: RIBParts, workspace: Workspace) {
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
    let builders = held { $0 == child.name + "Buildable" || $0 == child.name + "Builder" }
    let others = held { $0.hasSuffix("Buildable") || $0.hasSuffix("Builder") }.subtracting(builders)
    let functions = pieces.flatMap(\.functions)

    var children = named { $0 == child.name + "Routing" || $0 == child.name + "Router" }
    let all = Set(stored.compactMap(\.firstName))
    for function in functions where function.mentions(builders) {
      for target in AssignmentFinder.targets(in: function, from: builders) where all.contains(target) {
        let isShared = functions.contains { $0.mentions([target]) && $0.mentions(others) }
        if !isShared && !builders.contains(target) { children.insert(target) }
      }
    }
    let own = builders.union(children)
    let removed = functions.filter { $0.isOnly(for: own, not: others) && !ChildUses.isKept($0) }
    let remaining = functions.filter { function in !removed.contains { $0.id == function.id } }
    self.pieces = pieces
    self.nested = nested
    self.builders = builders
    self.children = children
    otherBuilders = others
    methods = Set(removed.map(\.name.text)).subtracting(remaining.map(\.name.text))
  }

  private static func isKept(_ function: FunctionDeclSyntax) -> Bool {
    kept.contains(function.name.text) || function.modifiers.contains { $0.name.text == "override" }
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
  /// The name of the property's annotated type.
  var typeName: String? { (bindings.first?.typeAnnotation?.type).map { Declaration.baseName(of: $0) } }
}
