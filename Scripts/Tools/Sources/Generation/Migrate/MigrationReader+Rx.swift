// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

extension MigrationReader {
  /// The names of operators before RxSwift 6, with the name and the label they have since.
  private static let renamed: [String: (name: String, label: String)] = [
    "observeOn": ("observe", "on"), "subscribeOn": ("subscribe", "on"), "takeUntil": ("take", "until"),
    "takeWhile": ("take", "while"), "skipUntil": ("skip", "until"),
  ]
  private static let mainSchedulers: Set<String> = [
    "MainScheduler.instance", "MainScheduler.asyncInstance", "MainScheduler()",
  ]

  /// Reads a call of a member in a file that uses RxSwift.
  func readRx(_ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = member.declName.baseName
    let isOwn = context.ownMembers.contains(name.text)
    if let advice = MigrationRefusals.rxCalls[name.text], !isOwn {
      refuse(name, "\(name.text): \(advice)")
    }
    if let new = Self.renamed[name.text] { rename(node, name, new) }
    readSchedulers(node, name)
    switch name.text {
    case "share": removeScope(node)
    case "subscribe": readSubscription(node, name)
    case "onError"
    where !isOwn && node.trailingClosure == nil && node.arguments.first?.expression.is(ClosureExprSyntax.self) != true:
      refuse(name, "onError: streams carry no error; send a value that says what failed, or call didFail(_:of:)")
    case "startWith" where node.arguments.count > 1:
      refuse(name, "startWith of several values: call it once for each, the last first")
    case "disposed": readBag(node, member)
    default: break
    }
    return .visitChildren
  }

  private func rename(_ node: FunctionCallExprSyntax, _ name: TokenSyntax, _ new: (name: String, label: String)) {
    if let argument = node.arguments.first {
      guard node.arguments.count == 1, argument.label == nil, node.trailingClosure == nil else { return }
      replace(name, with: new.name)
      insert(new.label + ": ", at: argument.positionAfterSkippingLeadingTrivia)
    } else if let closure = node.trailingClosure {
      let start = name.positionAfterSkippingLeadingTrivia
      replace(start..<closure.positionAfterSkippingLeadingTrivia, with: "\(new.name)(\(new.label): ")
      insert(")", at: closure.endPositionBeforeTrailingTrivia)
    } else {
      return
    }
    count("operators")
  }

  private func readSchedulers(_ node: FunctionCallExprSyntax, _ name: TokenSyntax) {
    for argument in node.arguments {
      let text = argument.expression.trimmedDescription
      let isOfTime = argument.label?.text == "scheduler"
      let isOfQueue = argument.label?.text == "on" || name.text == "observeOn" || name.text == "subscribeOn"
      guard isOfTime || isOfQueue else { continue }
      if Self.mainSchedulers.contains(text) {
        if isOfQueue {
          if text == "MainScheduler()" { replace(argument.expression, with: "MainScheduler.instance") }
          continue
        }
        guard let owner = owner(at: node) else {
          refuse(
            argument,
            "scheduler: pass the interactor or worker whose scope ends the time; a closure has to capture it weakly first"
          )
          continue
        }
        count("schedulers")
        replace(argument.expression, with: owner)
      } else if text != "self", text.contains("Scheduler") || isOfTime,
        !MigrationRefusals.rxTypes.keys.contains(where: { text.hasPrefix($0 + "(") })
      {
        refuse(argument, "\(text): streams stay on their tree; put work that leaves it into 'run' or a Single")
      }
    }
  }

  /// `share(replay: 1, scope: .whileConnected)` has no scope here.
  private func removeScope(_ node: FunctionCallExprSyntax) {
    guard let scope = node.argument("scope") else { return }
    guard scope.expression.trimmedDescription.hasSuffix(".whileConnected"), let before = node.arguments.first,
      before.id != scope.id
    else { return refuse(scope, "share with scope .forever: keep a BehaviorRelay, and bind(to:) it") }
    count("operators")
    replace(before.expression.endPositionBeforeTrailingTrivia..<scope.endPositionBeforeTrailingTrivia, with: "")
  }

  private func readSubscription(_ node: FunctionCallExprSyntax, _ name: TokenSyntax) {
    let labels = Set(node.arguments.compactMap(\.label?.text) + node.additionalTrailingClosures.map(\.label.text))
    if node.arguments.isEmpty && labels.isEmpty && node.trailingClosure != nil {
      refuse(name, "subscribe of events: use subscribe(onNext:onCompleted:)")
    }
    guard let error = node.argument("onError") else { return }
    guard labels.contains("onSuccess"), let label = error.label else {
      return refuse(error, "onError: streams carry no error; handle it where the work is, as onFailure of a Single")
    }
    count("singles")
    replace(label, with: "onFailure")
  }

  /// The subscription of a `Single` starts when it is bound to a scope.
  private func readBag(_ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax) {
    guard let call = member.base?.as(FunctionCallExprSyntax.self),
      call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "subscribe",
      call.arguments.contains(where: { $0.label?.text == "onSuccess" })
    else { return }
    if refuseAtEnd(member.declName, "a Single") { return }
    guard let owner = owner(at: node) else {
      return refuse(
        member.declName, "a Single in a bag: bind it to an interactor, with disposeOnDeactivate(interactor:)")
    }
    count("singles")
    let text = role == .worker ? "disposeOnStop(\(owner))" : "disposeOnDeactivate(interactor: \(owner))"
    let start = member.declName.positionAfterSkippingLeadingTrivia
    // A bag that is replaced cancels its subscriptions.
    if let bag = node.arguments.first?.expression, context.isConstantBag(MigrationReader.last(of: bag)) {
      replace(start..<node.endPositionBeforeTrailingTrivia, with: text)
    } else {
      insert(text + ".", at: start)
    }
  }
}
