// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Distinguishes code written by a link from code changed since.
enum MemberCheck {
  /// Whether two pieces of code differ only in white space.
  static func isSame(_ node: some SyntaxProtocol, as expected: String) -> Bool {
    words(node.trimmedDescription) == words(expected)
  }

  /// Throws if code to remove has changed since it was written.
  static func refuseUnlessAsWritten(_ node: some SyntaxProtocol, as expected: String, in file: SourceFile) throws {
    guard !isSame(node, as: expected) else { return }
    let name =
      node.as(FunctionDeclSyntax.self)?.name.text ?? node.as(EnumDeclSyntax.self)?.name.text
      ?? node.as(VariableDeclSyntax.self)?.firstName ?? "it"
    throw Failure.refused(
      "'\(name)' (\(file.place(of: node))) has been changed since it was linked, or was written by hand",
      advice: ["take out by hand what is yours in it, or make it what a link writes:", ""]
        + expected.split(separator: "\n").map(String.init))
  }

  /// The refusal to remove a child that its parent still uses.
  static func stillUsed(_ child: String, by parent: String, _ places: [String]) -> Failure {
    .refused("'\(parent)' still uses '\(child)'", advice: ["take this out first:"] + places.map { "  " + $0 })
  }

  /// The places where a router uses the slot of a child or the type of its route.
  static func uses(
    ofSlot names: LinkNames, in router: String, _ workspace: Workspace,
    place: (TokenSyntax, SourceFile) -> String = { $1.place(of: $0) }
  ) -> [String] {
    workspace.declarations(mentioning: router).filter { $0.name == router && $0.kind != .protocol }.flatMap { piece in
      piece.node.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
        let isSlot = token.tokenKind == .identifier(names.property) && isMember(token)
        let isType = token.tokenKind == .identifier(names.routeType)
        return isSlot || isType ? "\(place(token, piece.file)): \(token.text)" : nil
      }
    }
  }

  /// Whether a name in a class is a member of it, and not of another object or a local constant.
  static func isMember(_ token: TokenSyntax) -> Bool {
    guard let reference = token.parent?.as(DeclReferenceExprSyntax.self) else { return false }
    if let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id {
      return ["self", "self?", "router"].contains(access.base?.trimmedDescription)
    }
    var node = token.parent
    while let current = node {
      if let function = current.as(FunctionDeclSyntax.self), declares(token.text, function, before: token) {
        return false
      }
      node = current.parent
    }
    return true
  }

  /// Whether a function has a parameter or a local constant with a name, declared before a token.
  private static func declares(_ name: String, _ function: FunctionDeclSyntax, before token: TokenSyntax) -> Bool {
    function.tokens(viewMode: .sourceAccurate).contains { other in
      guard other.text == name else { return false }
      if other.parent?.is(FunctionParameterSyntax.self) == true { return true }
      // The value of a constant may be that of the member with the same name.
      guard let pattern = other.parent?.as(IdentifierPatternSyntax.self), let binding = pattern.parent else {
        return false
      }
      return binding.endPosition <= token.position
    }
  }

  /// Whether a function uses a member of its type.
  static func uses(_ member: String, in function: FunctionDeclSyntax) -> Bool {
    function.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .identifier(member) && isMember($0) }
  }

  private static func words(_ text: String) -> [String] {
    SourceFile(path: "", text: text).syntax.tokens(viewMode: .sourceAccurate).map(\.text).filter {
      !$0.isEmpty && $0 != ","
    }
  }
}
