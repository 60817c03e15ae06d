// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
      if owner.kind == .protocol, interface.listenerAccess < Access(owner) {
        throw Failure.refused(
          "'\(owner.name)' (\(owner.place)) is \(Access(owner).name), and '\(interface.names.listener)' is not")
      }
      try TypeEditor(owner, in: workspace, style: style).addInherited(interface.names.listener)
    }
    for conformer in conformers {
      let editor = TypeEditor(conformer, in: workspace, style: style)
      let known = Set(pieces(of: conformer).flatMap(\.functions).map(fullName))
      let missing = interface.callbacks.filter { !known.contains($0.fullName) }
      if isReal(conformer) {
        let canDetach = conformer.variable(named: "router") != nil && detaches
        for (index, callback) in missing.enumerated() {
          let width = style.lineLength - (try editor.indentation().count)
          let access = access(in: conformer)
          let stub = interface.stub(of: callback, detaches: canDetach, access: access, width: width)
          try editor.append(stub, afterBlankLine: index == 0)
        }
      } else {
        try Doubles.add(missing.map { ($0.name, $0.declaration) }, to: editor)
      }
    }
  }

  func remove() throws {
    let (owner, conformers) = try listening()
    for conformer in conformers {
      let editor = TypeEditor(conformer, in: workspace, style: style)
      let kept = requiredElsewhere(of: conformer, owner)
      let callbacks = interface.callbacks.filter { !kept.contains($0.fullName) }
      if isReal(conformer) {
        try removeStubs(callbacks, from: conformer, editor)
      } else {
        try Doubles.remove(callbacks.map { ($0.name, $0.declaration) }, from: editor)
      }
    }
    try TypeEditor(owner, in: workspace, style: style).removeInherited(interface.names.listener)
  }

  /// A type and its extensions.
  private func pieces(of type: Declaration) -> [Declaration] {
    workspace.declarations(mentioning: type.name).filter { $0.name == type.name && $0.kind != .protocol }
  }

  /// The methods of a type that other protocols require, such as the listeners of other children or of its view.
  private func requiredElsewhere(of conformer: Declaration, _ owner: Declaration) -> Set<String> {
    let runtime: Set<String> = [
      "Interactor", "PresentableInteractor", "Interactable", "AnyObject", interface.names.listener,
    ]
    var names = pieces(of: conformer).flatMap(\.inherited) + owner.inherited
    var seen = runtime
    var required: Set<String> = []
    while let name = names.popLast() {
      guard seen.insert(name).inserted else { continue }
      for declared in workspace.declarations(mentioning: name) where declared.kind == .protocol && declared.name == name
      {
        names += declared.inherited
        required.formUnion(declared.functions.map(fullName))
      }
    }
    return required
  }

  private func removeStubs(_ callbacks: [ChildInterface.Callback], from interactor: Declaration, _ editor: TypeEditor)
    throws
  {
    let access = access(in: interactor)
    for callback in callbacks {
      guard let method = interactor.functions.first(where: { fullName(of: $0) == callback.fullName }) else { continue }
      let ways = [true, false].map { interface.stub(of: callback, detaches: $0, access: access) }
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
    guard let argument = parent.router.superclass?.arguments.first else {
      throw Failure.refused("'\(parent.router.name)' (\(parent.router.place)) is no subclass of Router<…>")
    }
    let name = argument.trimmedDescription.replacing("any ", with: "").trimmingCharacters(in: ["(", ")"])
    let candidates = workspace.declarations(mentioning: name).filter { $0.name == name }
    guard let owner = candidates.first(where: { $0.kind == .protocol || $0.kind == .class }) else {
      throw Failure.refused(
        "the type '\(name)', by which \(parent.router.name) (\(parent.router.place)) knows its interactor, is not "
          + "declared in this package")
    }
    if owner.kind == .class { return (owner, [owner]) }
    let conformers = Doubles.of(name, but: "", in: workspace)
    guard conformers.contains(where: isReal) else {
      throw Failure.refused("no class '\(parent.name)Interactor' conforms to '\(name)' (\(owner.place))")
    }
    return (owner, conformers)
  }

  /// The modifier of the methods that implement the listener.
  private func access(in conformer: Declaration) -> String {
    Access.witness(in: Access(ofTypeIn: conformer, workspace), of: interface.listenerAccess)
  }

  private func isReal(_ declaration: Declaration) -> Bool {
    declaration.name == parent.name + "Interactor"
  }

  private func fullName(of function: FunctionDeclSyntax) -> String {
    let labels = function.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
    return "\(function.name.text)(\(labels))"
  }
}
