// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// The way in which a parent creates a child's builder.
enum ChildMaking: Hashable {
  /// `OrderBuilder(dependency: component)`.
  case dependency
  /// `OrderBuilder(container: container)`: both builders have a base class, which holds what their initializer takes.
  case passedOn(label: String, property: String)
  /// `OrderBuilder { OrderComponent(dependency: component) }`: a `ComponentizedBuilder`.
  case closure(component: String)

  /// Determines how to create a child's builder in the builder of its parent.
  ///
  /// - Throws: `Failure.refused` if it needs anything that only the user can decide on.
  init(of child: ChildParts, by parent: RIBParts, in workspace: Workspace) throws {
    if ChildMaking.takesDependency(child.builder) {
      self = .dependency
    } else if let shared = ChildMaking.passedOn(to: child.builder, by: parent.builder, in: workspace) {
      self = shared
    } else if let component = try ChildMaking.component(of: child, in: workspace) {
      self = .closure(component: component)
    } else {
      throw Failure.refused(
        "'\(child.builder.name)' (\(child.builder.place)) is not made with a dependency alone, so what to hand it is yours to say"
      )
    }
  }

  /// Whether the parent's component provides for the child.
  var needsComponent: Bool {
    if case .passedOn = self { false } else { true }
  }

  /// The expression that creates the builder.
  ///
  /// - Parameters:
  ///   - builder: the name of the builder's type.
  ///   - component: the name of the parent's component.
  func expression(of builder: String, component: String) -> String {
    switch self {
    case .dependency: "\(builder)(dependency: \(component))"
    case .passedOn(let label, let property): "\(builder)(\(label): \(property))"
    case .closure(let type): "\(builder) { \(type)(dependency: \(component)) }"
    }
  }

  /// The name of the parent's component in an expression that creates the builder.
  ///
  /// - Parameter made: the expression that makes the component.
  /// - Returns: nil if the expression is not one that a link writes; an empty name if it has no component, or makes it.
  func component(in expression: ExprSyntax, of builder: String, made: String) -> String? {
    if needsComponent, MemberCheck.isSame(expression, as: self.expression(of: builder, component: made)) { return "" }
    let names = expression.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
      if case .identifier(let name) = token.tokenKind { name } else { nil }
    }
    let name = needsComponent ? names.last ?? "" : ""
    return MemberCheck.isSame(expression, as: self.expression(of: builder, component: name)) ? name : nil
  }

  /// The component that a `ComponentizedBuilder` is created with; nil for any other builder.
  private static func component(of child: ChildParts, in workspace: Workspace) throws -> String? {
    guard let base = child.builder.superclass, child.builder.initializers.isEmpty else { return nil }
    let arguments = base.arguments.map(\.trimmedDescription)
    switch (base.name, arguments.count) {
    case ("SimpleComponentizedBuilder", 2): break
    case ("ComponentizedBuilder", 4) where ["Void", "()"].contains(arguments[3]): break
    default: return nil
    }
    let name = arguments[0]
    let declared = workspace.declarations(mentioning: name).filter { $0.kind == .class && $0.name == name }
    guard declared.count == 1, let only = declared.first,
      let superclass = only.superclass, superclass.name == "Component", !superclass.arguments.isEmpty
    else { return nil }
    if only.file.text.contains("import NeedleFoundation") {
      throw Failure.refused(
        "'\(name)' (\(only.place)) is a component of needle, which '\(child.builder.name)' has to get from a property "
          + "of the parent's component")
    }
    let isPlain = only.initializers.isEmpty || only.initializers.contains { requiredLabels(of: $0) == ["dependency"] }
    return isPlain ? name : nil
  }

  private static func takesDependency(_ builder: Declaration) -> Bool {
    let isPlain = builder.superclass.map { $0.name == "Builder" && !$0.arguments.isEmpty } ?? false
    return isPlain
      && (builder.initializers.isEmpty || builder.initializers.contains { requiredLabels(of: $0) == ["dependency"] })
  }

  private static func passedOn(
    to child: Declaration, by parent: Declaration, in workspace: Workspace
  ) -> ChildMaking? {
    guard child.initializers.isEmpty, let base = child.inherited.first, base == parent.inherited.first else {
      return nil
    }
    let declared = workspace.declarations(mentioning: base).filter { $0.kind == .class && $0.name == base }
    guard declared.count == 1, let only = declared.first, only.initializers.count == 1,
      let labels = only.initializers.first.flatMap(requiredLabels), labels.count == 1, let label = labels.first,
      let property = only.variable(named: label), property.isStored,
      property.modifiers.allSatisfy({ !["private", "fileprivate"].contains($0.name.text) })
    else { return nil }
    return .passedOn(label: label, property: label)
  }

  /// The labels of the arguments that a call needs; nil if it can't be called from elsewhere, or may fail.
  static func requiredLabels(of initializer: InitializerDeclSyntax) -> [String]? {
    let isOpen = initializer.modifiers.allSatisfy { !["private", "fileprivate"].contains($0.name.text) }
    guard isOpen, initializer.optionalMark == nil else { return nil }
    return initializer.signature.parameterClause.parameters.filter { $0.defaultValue == nil }.map(\.firstName.text)
  }
}
