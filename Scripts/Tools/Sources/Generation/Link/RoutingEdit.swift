// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Edits the protocol through which the parent's interactor calls its router, and its mocks.
struct RoutingEdit {
  let parent: RIBParts
  let interface: ChildInterface
  let workspace: Workspace
  let style: LayoutStyle

  private var methods: [(name: String, declaration: String)] {
    [(interface.names.attach, interface.attachDeclaration), (interface.names.detach, interface.detachDeclaration)]
  }

  func add() throws {
    guard let routing = parent.routing else {
      throw Failure.refused("there is no protocol '\(parent.name)Routing'")
    }
    let editor = TypeEditor(routing, in: workspace, style: style)
    for method in methods { try editor.append(method.declaration, afterBlankLine: false) }
    for double in Doubles.of(routing.name, but: parent.router.name, in: workspace) {
      try Doubles.add(methods, to: TypeEditor(double, in: workspace, style: style))
    }
  }

  func remove() throws {
    guard let routing = parent.routing else { return }
    let editor = TypeEditor(routing, in: workspace, style: style)
    for method in methods { try editor.remove { $0.as(FunctionDeclSyntax.self)?.name.text == method.name } }
    for double in Doubles.of(routing.name, but: parent.router.name, in: workspace) {
      try Doubles.remove(methods, from: TypeEditor(double, in: workspace, style: style))
    }
  }
}
