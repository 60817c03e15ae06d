import SourceModel
import SwiftSyntax

/// How a parent builds a child, and what the child requires of it.
struct ChildInterface {
  /// A parameter of the child's `build` that the parent forwards.
  struct Parameter {
    /// The declaration: `for draft: OrderDraft`.
    let declaration: String
    let label: String?
    let name: String
  }

  /// A requirement of the child's listener.
  struct Callback {
    let name: String
    /// The name with argument labels: `orderDidEnd(_:)`.
    let fullName: String
    /// The declaration without a body.
    let declaration: String
  }

  let names: LinkNames
  /// The label of the listener in `build`; nil if the child has no listener.
  let listenerLabel: String?
  let parameters: [Parameter]
  let callbacks: [Callback]
  /// The type of the builder in the parent's router.
  let builderType: String
  /// The name of the method that builds the child.
  let buildName: String
  /// The member of the method's result that is the router: `router` of `(router: OrderRouting, item: OrderItem)`; nil
  /// if the result is the router.
  let routerMember: String?

  /// Reads the child's builder and listener.
  init(_ child: ChildParts, names: LinkNames, in workspace: Workspace) throws {
    self.names = names
    let owner = child.buildable ?? child.builder
    let builds = ChildInterface.builds(of: owner, in: workspace)
    guard builds.count == 1, let build = builds.first else {
      throw Failure.refused(
        "'\(owner.name)' (\(owner.place)) has \(builds.count) methods that build '\(child.name)', and needs one")
    }
    let signature = build.signature
    guard signature.effectSpecifiers == nil, build.genericParameterClause == nil else {
      throw Failure.refused("'\(owner.name).build' (\(owner.file.place(of: build))) is async, throws, or is generic")
    }
    guard let result = signature.returnClause?.type, let member = ChildInterface.routerMember(of: result) else {
      throw Failure.refused(
        "'\(owner.name).\(build.name.text)' (\(owner.file.place(of: build))) returns no router, or more than one")
    }
    routerMember = member.isEmpty ? nil : member
    buildName = build.name.text
    var label: String?
    var parameters: [Parameter] = []
    for parameter in signature.parameterClause.parameters {
      if Declaration.baseName(of: parameter.type) == names.listener {
        label = parameter.firstName.text
      } else if parameter.defaultValue == nil {
        let outer = parameter.firstName.text
        parameters.append(
          Parameter(
            declaration: parameter.with(\.trailingComma, nil).trimmedDescription, label: outer == "_" ? nil : outer,
            name: (parameter.secondName ?? parameter.firstName).text))
      }
    }
    listenerLabel = label
    self.parameters = parameters
    builderType = child.buildable == nil ? names.builder : "any " + names.buildable
    callbacks = label == nil ? [] : try ChildInterface.callbacks(of: child, names: names, in: workspace)
  }

  /// The methods of a builder or its protocol that build the child; otherwise, those of the protocols it inherits.
  private static func builds(
    of owner: Declaration, in workspace: Workspace, below: [String] = []
  ) -> [FunctionDeclSyntax] {
    let own = owner.functions.filter { ["build", "finalStageBuild"].contains($0.name.text) }
    let named = own.filter { $0.name.text == "build" }
    if !own.isEmpty { return named.isEmpty ? own : named }
    guard owner.kind == .protocol, !below.contains(owner.name) else { return [] }
    return owner.inherited.filter { $0 != "Buildable" }.flatMap { name in
      workspace.declarations(mentioning: name).filter { $0.kind == .protocol && $0.name == name }
        .flatMap { builds(of: $0, in: workspace, below: below + [owner.name]) }
    }
  }

  /// The member of a result that is the router; empty if the result is the router, nil if there is none.
  private static func routerMember(of result: TypeSyntax) -> String? {
    guard let tuple = result.as(TupleTypeSyntax.self), tuple.elements.count > 1 else { return "" }
    let routers = tuple.elements.enumerated().filter { _, element in
      let name = Declaration.baseName(of: element.type)
      return name.hasSuffix("Routing") || name.hasSuffix("Router")
    }
    guard routers.count == 1, let only = routers.first else { return nil }
    return only.element.firstName?.text ?? String(only.offset)
  }

  private static func callbacks(of child: ChildParts, names: LinkNames, in workspace: Workspace) throws -> [Callback] {
    guard let listener = child.listener else {
      throw Failure.refused("there is no protocol '\(names.listener)', though '\(names.builder)' takes one")
    }
    return try callbacks(in: listener, of: names, in: workspace)
  }

  /// The requirements of a listener, inherited ones first.
  private static func callbacks(
    in listener: Declaration, of names: LinkNames, in workspace: Workspace, below: [String] = []
  ) throws -> [Callback] {
    var all: [Callback] = []
    for name in listener.inherited where name != "AnyObject" && name != "class" && !below.contains(name) {
      let found = workspace.declarations(mentioning: name).first { $0.kind == .protocol && $0.name == name }
      guard let found else {
        throw Failure.refused(
          "'\(listener.name)' (\(listener.place)) inherits from '\(name)', which is not declared here")
      }
      all += try callbacks(in: found, of: names, in: workspace, below: below + [listener.name])
    }
    return all
      + (try listener.members.map { member in
        guard let function = member.as(FunctionDeclSyntax.self), function.signature.returnClause == nil else {
          throw Failure.refused(
            "'\(names.listener)' asks for more than a method without a result (\(listener.file.place(of: member))), "
              + "which only you can write")
        }
        return callback(function)
      })
  }

  private static func callback(_ function: FunctionDeclSyntax) -> Callback {
    let labels = function.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
    let signature = function.signature.trimmedDescription
    let generics = function.genericParameterClause?.trimmedDescription ?? ""
    return Callback(
      name: function.name.text, fullName: "\(function.name.text)(\(labels))",
      declaration: "func \(function.name.text)\(generics)\(signature)")
  }

  // MARK: The code that a parent needs

  /// The declaration of the method that attaches the child.
  var attachDeclaration: String { "func \(names.attach)(\(parameters.map(\.declaration).joined(separator: ", ")))" }

  /// The declaration of the method that detaches the child.
  var detachDeclaration: String { "func \(names.detach)()" }

  /// The call that builds the child.
  var buildCall: String {
    let listener = listenerLabel.map { $0 == "_" ? "interactor" : "\($0): interactor" }
    let rest = parameters.map { ($0.label.map { $0 + ": " } ?? "") + $0.name }
    let arguments = ([listener].compactMap { $0 } + rest).joined(separator: ", ")
    return "\(names.builderProperty).\(buildName)(\(arguments))" + (routerMember.map { "." + $0 } ?? "")
  }

  /// The method that attaches the child.
  var attachMethod: String {
    """
    \(attachDeclaration) {
      guard \(names.property) == nil else { return }
      let \(names.property) = \(buildCall)
      self.\(names.property) = \(names.property)
      attachChild(\(names.property))
    }
    """
  }

  /// The method that detaches the child.
  var detachMethod: String {
    """
    \(detachDeclaration) {
      guard let \(names.property) else { return }
      self.\(names.property) = nil
      detachChild(\(names.property))
    }
    """
  }

  /// The parent interactor's implementation of a listener callback.
  ///
  /// - Parameters:
  ///   - detaches: whether the router has a method to detach the child, which is called when the child ends.
  ///   - width: the maximum line length.
  func stub(of callback: Callback, detaches: Bool, width: Int = .max) -> String {
    let ends = ["DidFinish", "DidClose", "DidEnd", "DidCancel"].contains { callback.name.hasSuffix($0) }
    guard ends && detaches else { return callback.declaration + " {}" }
    let body = "router?.\(names.detach)()"
    let line = "\(callback.declaration) { \(body) }"
    return line.count <= width ? line : "\(callback.declaration) {\n  \(body)\n}"
  }
}
