// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

extension SourceFile {
  /// The types and extensions that the file declares, including nested ones, in source order.
  public var declarations: [Declaration] {
    let collector = DeclarationCollector(file: self)
    collector.walk(syntax)
    return collector.found
  }
}

private final class DeclarationCollector: SyntaxVisitor {
  private(set) var found: [Declaration] = []
  private let file: SourceFile
  private var namespace: [String] = []

  init(file: SourceFile) {
    self.file = file
    super.init(viewMode: .sourceAccurate)
  }

  private func enter(_ kind: Declaration.Kind, _ name: String, _ node: some DeclSyntaxProtocol) {
    found.append(
      Declaration(kind: kind, name: name, namespace: namespace, file: file, node: DeclSyntax(node)))
    namespace.append(name)
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.class, node.name.text, node)
    return .visitChildren
  }
  override func visitPost(_ node: ClassDeclSyntax) { namespace.removeLast() }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.protocol, node.name.text, node)
    return .visitChildren
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { namespace.removeLast() }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.struct, node.name.text, node)
    return .visitChildren
  }
  override func visitPost(_ node: StructDeclSyntax) { namespace.removeLast() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.enum, node.name.text, node)
    return .visitChildren
  }
  override func visitPost(_ node: EnumDeclSyntax) { namespace.removeLast() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.actor, node.name.text, node)
    return .visitChildren
  }
  override func visitPost(_ node: ActorDeclSyntax) { namespace.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.extension, Declaration.baseName(of: node.extendedType), node)
    return .visitChildren
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { namespace.removeLast() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(.typealias, node.name.text, node)
    return .visitChildren
  }
  override func visitPost(_ node: TypeAliasDeclSyntax) { namespace.removeLast() }
}
