// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// Finds function calls in a body.
final class CallFinder: SyntaxVisitor {
  private var found: [(name: String, base: String, call: FunctionCallExprSyntax)] = []
  private let entersClosures: Bool

  private init(entersClosures: Bool) {
    self.entersClosures = entersClosures
    super.init(viewMode: .sourceAccurate)
  }

  /// The calls, each with the last component of the function's name and of its base.
  static func all(
    in node: Syntax, entersClosures: Bool = true
  ) -> [(name: String, base: String, call: FunctionCallExprSyntax)] {
    let finder = CallFinder(entersClosures: entersClosures)
    finder.walk(node)
    return finder.found
  }

  static func calls(in node: Syntax) -> Set<String> { Set(all(in: node).map(\.name)) }

  static func superCalls(in node: Syntax) -> Set<String> {
    Set(all(in: node).filter { $0.base == "super" }.map(\.name))
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let reference = node.calledExpression.as(DeclReferenceExprSyntax.self) {
      found.append((reference.baseName.text, "", node))
    } else if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
      found.append((member.declName.baseName.text, CallFinder.lastName(member.base), node))
    }
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    entersClosures ? .visitChildren : .skipChildren
  }

  private static func lastName(_ base: ExprSyntax?) -> String {
    guard let base else { return "" }
    if let chain = base.as(OptionalChainingExprSyntax.self) { return lastName(chain.expression) }
    if let force = base.as(ForceUnwrapExprSyntax.self) { return lastName(force.expression) }
    if let member = base.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
    if base.is(SuperExprSyntax.self) { return "super" }
    return base.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
  }
}
