// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
    let type: String
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
  /// The declaration of this method: `'OrderBuildable.build' (Order/OrderBuilder.swift:8)`.
  let buildPlace: String
  /// The member of the method's result that is the router: `router` of `(router: OrderRouting, item: OrderItem)`; nil
  /// if the result is the router.
  let routerMember: String?
  /// The access of the builder's type in the router, and of the listener.
  let builderAccess: Access
  let listenerAccess: Access
  /// The modifier of the router's methods for the child.
  private(set) var routeAccess = ""

  /// Reads the child's builder and listener.
  init(_ child: ChildParts, names: LinkNames, in workspace: Workspace) throws {
    self.names = names
    let owner = child.buildable ?? child.builder
    let builds = ChildInterface.simplest(ChildInterface.builds(of: owner, in: workspace), names)
    guard builds.count == 1, let build = builds.first else {
      throw Failure.refused(
        "'\(owner.name)' (\(owner.place)) has \(builds.count) methods that build '\(child.name)', and needs one")
    }
    builderAccess = Access(owner)
    listenerAccess = Access(child.listener)
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
    buildPlace = "'\(owner.name).\(build.name.text)' (\(owner.file.place(of: build)))"
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
            name: (parameter.secondName ?? parameter.firstName).text, type: parameter.type.trimmedDescription))
      }
    }
    listenerLabel = label
    self.parameters = parameters
    builderType = child.buildable == nil ? names.builder : "any " + names.buildable
    callbacks = label == nil ? [] : try ChildInterface.callbacks(of: child, names: names, in: workspace)
  }

  /// This interface for a parent, whose router implements its protocol.
  func within(_ parent: RIBParts) -> ChildInterface {
    var interface = self
    interface.routeAccess = Access.witness(in: Access(parent.router), of: Access(parent.routing))
    return interface
  }

  /// The name of the builder's type in the router.
  var builderName: String { builderType.split(separator: " ").last.map(String.init) ?? builderType }

  /// The methods that need the fewest values.
  private static func simplest(_ builds: [FunctionDeclSyntax], _ names: LinkNames) -> [FunctionDeclSyntax] {
    func values(_ build: FunctionDeclSyntax) -> Int {
      build.signature.parameterClause.parameters.count {
        $0.defaultValue == nil && Declaration.baseName(of: $0.type) != names.listener
      }
    }
    let fewest = builds.map(values).min()
    return builds.filter { values($0) == fewest }
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
      throw Failure.refused(
        "there is no protocol '\(names.listener)', which '\(names.builder)' (\(child.builder.place)) takes")
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
  ///
  /// - Parameter owner: the router with a dot, in a closure; empty in its methods.
  private func buildCall(by owner: String = "") -> String {
    let listener = listenerLabel.map { $0 == "_" ? "\(owner)interactor" : "\($0): \(owner)interactor" }
    let rest = parameters.map { ($0.label.map { $0 + ": " } ?? "") + $0.name }
    let arguments = ([listener].compactMap { $0 } + rest).joined(separator: ", ")
    return "\(owner)\(names.builderProperty).\(buildName)(\(arguments))" + (routerMember.map { "." + $0 } ?? "")
  }

  /// The method that attaches the child.
  var attachMethod: String {
    """
    \(routeAccess)\(attachDeclaration) {
      guard \(names.property) == nil else { return }
      let \(names.property) = \(buildCall())
      self.\(names.property) = \(names.property)
      attachChild(\(names.property))
    }
    """
  }

  /// The method that detaches the child.
  var detachMethod: String {
    """
    \(routeAccess)\(detachDeclaration) {
      guard let \(names.property) else { return }
      self.\(names.property) = nil
      detachChild(\(names.property))
    }
    """
  }

  // MARK: The code of a slot

  /// The property that holds the child while there is a route.
  ///
  /// - Parameter width: the maximum line length.
  func slotProperty(width: Int = .max) -> String {
    let head = "private lazy var \(names.property) = ChildSlot<\(names.routeType)>(of: self) {"
    let isLong = "\(head) router, route in".count > width
    let bound = parameters.isEmpty ? "" : "(" + parameters.map { "let \($0.name)" }.joined(separator: ", ") + ")"
    let made = buildCall(by: "router.")
    let isLongCase = "  case .attached\(bound): \(made)".count > width
    return """
      /// Holds the child of its route. The route is saved with the tree.
      \(head)\(isLong ? "\n  " : " ")router, route in
        switch route {
        case .attached\(bound):\(isLongCase ? "\n    " : " ")\(made)
        }
      }
      """
  }

  /// The type of the slot's route.
  var routeTypeDeclaration: String {
    let values = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    return """
      private enum \(names.routeType): Hashable, Codable, Sendable {
        case attached\(values.isEmpty ? "" : "(\(values))")
      }
      """
  }

  /// The method that sets the slot's route.
  func slotAttachMethod(width: Int = .max) -> String {
    let values = parameters.map { "\($0.name): \($0.name)" }.joined(separator: ", ")
    let route = ".attached" + (values.isEmpty ? "" : "(\(values))")
    return ChildInterface.method(routeAccess + attachDeclaration, "\(names.property).route = \(route)", width)
  }

  /// The method that sets no route.
  func slotDetachMethod(width: Int = .max) -> String {
    ChildInterface.method(routeAccess + detachDeclaration, "\(names.property).route = nil", width)
  }

  private static func method(_ declaration: String, _ body: String, _ width: Int) -> String {
    let line = "\(declaration) { \(body) }"
    return line.count <= width ? line : "\(declaration) {\n  \(body)\n}"
  }

  /// The parent interactor's implementation of a listener callback.
  ///
  /// - Parameters:
  ///   - detaches: whether the router has a method to detach the child, which is called when the child ends.
  ///   - access: the modifier of the method with a space, or an empty text.
  ///   - width: the maximum line length.
  func stub(of callback: Callback, detaches: Bool, access: String = "", width: Int = .max) -> String {
    let ends = ["DidFinish", "DidClose", "DidEnd", "DidCancel"].contains { callback.name.hasSuffix($0) }
    guard ends && detaches else { return access + callback.declaration + " {}" }
    return ChildInterface.method(access + callback.declaration, "router?.\(names.detach)()", width)
  }
}
