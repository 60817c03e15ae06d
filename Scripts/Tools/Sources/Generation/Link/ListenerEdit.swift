import Foundation
import SourceModel
import SwiftSyntax

/// Edits the parent's interactor, which listens to the child.
struct ListenerEdit {
  let parent: RIBParts
  let interface: ChildInterface
  /// Whether the router has a method to detach the child.
  let detaches: Bool
  let workspace: Workspace
  let style: LayoutStyle

  func add() throws {
    let (owner, conformers) = try listening()
    if !owner.inherited.contains(interface.names.listener) {
      try TypeEditor(owner, in: workspace, style: style).addInherited(interface.names.listener)
    }
    for conformer in conformers {
      let editor = TypeEditor(conformer, in: workspace, style: style)
      if isReal(conformer) {
        let canDetach = conformer.variable(named: "router") != nil && detaches
        for (index, callback) in interface.callbacks.enumerated()
        where !conformer.functions.contains(where: { fullName(of: $0) == callback.fullName }) {
          let width = style.lineLength - (try editor.indentation().count)
          let stub = interface.stub(of: callback, detaches: canDetach, width: width)
          try editor.append(stub, afterBlankLine: index == 0)
        }
      } else {
        try Doubles.add(interface.callbacks.map { ($0.name, $0.declaration) }, to: editor)
      }
    }
  }

  func remove() throws {
    let (owner, conformers) = try listening()
    for conformer in conformers {
      let editor = TypeEditor(conformer, in: workspace, style: style)
      if isReal(conformer) {
        try removeStubs(from: conformer, editor)
      } else {
        try Doubles.remove(interface.callbacks.map { ($0.name, $0.declaration) }, from: editor)
      }
    }
    try TypeEditor(owner, in: workspace, style: style).removeInherited(interface.names.listener)
  }

  private func removeStubs(from interactor: Declaration, _ editor: TypeEditor) throws {
    for callback in interface.callbacks {
      guard let method = interactor.functions.first(where: { fullName(of: $0) == callback.fullName }) else { continue }
      let ways = [interface.stub(of: callback, detaches: true), interface.stub(of: callback, detaches: false)]
      if !ways.contains(where: { MemberCheck.isSame(method, as: $0) }) {
        try MemberCheck.refuseUnlessAsWritten(method, as: ways[0], in: interactor.file)
      }
      try editor.remove { member in
        member.as(FunctionDeclSyntax.self).map { fullName(of: $0) == callback.fullName } ?? false
      }
    }
  }

  /// The type of the interactor in the router, and the classes that conform to it.
  private func listening() throws -> (owner: Declaration, conformers: [Declaration]) {
    let clause = parent.router.inheritanceClause?.inheritedTypes.first?.type.as(IdentifierTypeSyntax.self)
    guard let argument = clause?.genericArgumentClause?.arguments.first?.argument else {
      throw Failure.refused("'\(parent.router.name)' (\(parent.router.place)) is no subclass of Router<…>")
    }
    let name = argument.trimmedDescription.replacing("any ", with: "").trimmingCharacters(in: ["(", ")"])
    let candidates = workspace.declarations(mentioning: name).filter { $0.name == name }
    guard let owner = candidates.first(where: { $0.kind == .protocol || $0.kind == .class }) else {
      throw Failure.refused(
        "the type '\(name)', by which \(parent.router.name) knows its interactor, is not declared here")
    }
    if owner.kind == .class { return (owner, [owner]) }
    let conformers = Doubles.of(name, but: "", in: workspace)
    guard conformers.contains(where: isReal) else {
      throw Failure.refused("no class '\(parent.name)Interactor' conforms to '\(name)'")
    }
    return (owner, conformers)
  }

  private func isReal(_ declaration: Declaration) -> Bool {
    declaration.name == parent.name + "Interactor"
  }

  private func fullName(of function: FunctionDeclSyntax) -> String {
    let labels = function.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
    return "\(function.name.text)(\(labels))"
  }
}
