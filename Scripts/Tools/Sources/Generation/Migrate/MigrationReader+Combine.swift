// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

extension MigrationReader {
  private static let subjects = ["CurrentValueSubject": "BehaviorRelay", "PassthroughSubject": "PublishRelay"]
  private static let streams = subjects.merging(["AnyPublisher": "Observable"]) { $1 }
  /// Calls that mark a chain as one of publishers.
  private static let marks: Set<String> = [
    "sink", "eraseToAnyPublisher", "cancelOnDeactivate", "cancelOnStop", "store", "removeDuplicates", "switchToLatest",
    "receive", "assign", "combineLatest",
  ]
  /// Operators with the same meaning and another name.
  private static let renamed = [
    "removeDuplicates": "distinctUntilChanged", "prepend": "startWith", "prefix": "take",
    "eraseToAnyPublisher": "asObservable", "cancelOnDeactivate": "disposeOnDeactivate", "cancelOnStop": "disposeOnStop",
  ]
  private static let mainQueues: Set<String> = [
    "DispatchQueue.main", "RunLoop.main", "OperationQueue.main", "ImmediateScheduler.shared",
  ]

  /// Rewrites the name of a type of Combine.
  ///
  /// - Returns: whether it is one.
  func readCombine(_ name: TokenSyntax, _ arguments: GenericArgumentClauseSyntax?) -> Bool {
    guard let new = Self.streams[name.text] else { return false }
    if let arguments {
      let all = Array(arguments.arguments)
      guard all.count == 2, all[1].argument.trimmedDescription == "Never" else {
        let value = all.first?.argument.trimmedDescription ?? "Value"
        refuse(
          name,
          "\(name.text) that fails: use an async method that throws, called in 'task' or 'run': func load() async throws "
            + "-> \(value) { … }")
        return true
      }
      replace(all[0].argument.endPositionBeforeTrailingTrivia..<all[1].endPositionBeforeTrailingTrivia, with: "")
    }
    if name.text == "AnyPublisher", let step = name.parent?.parent?.as(ReturnClauseSyntax.self),
      step.parent?.is(ClosureSignatureSyntax.self) == true
    {
      needsCompatibility = true
    }
    count(name.text == "AnyPublisher" ? "streams" : "subjects")
    replace(name, with: new)
    return true
  }

  /// The relay in place of a `CurrentValueSubject` names its argument.
  func readSubject(_ node: FunctionCallExprSyntax) {
    let callee = node.calledExpression
    let name = callee.as(GenericSpecializationExprSyntax.self)?.expression ?? callee
    guard name.trimmedDescription == "CurrentValueSubject", let argument = node.arguments.first, argument.label == nil
    else { return }
    insert("value: ", at: argument.positionAfterSkippingLeadingTrivia)
  }

  /// Rewrites a property that holds subscriptions, or a subject.
  func readCombine(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let binding = node.bindings.first, node.bindings.count == 1 else { return .visitChildren }
    let name = binding.pattern.trimmedDescription
    let type = binding.typeAnnotation?.type.trimmedDescription ?? ""
    if context.bags.contains(name),
      type == "Set<AnyCancellable>" || binding.initializer?.value.trimmedDescription == "Set<AnyCancellable>()"
    {
      count("subscriptions")
      replace(node.bindingSpecifier, with: "let")
      replace(
        binding.pattern.endPositionBeforeTrailingTrivia..<binding.endPositionBeforeTrailingTrivia,
        with: " = DisposeBag()")
      return .skipChildren
    }
    if type.hasPrefix("CurrentValueSubject"), let call = binding.initializer?.value.as(FunctionCallExprSyntax.self),
      call.calledExpression.trimmedDescription == ".init", let argument = call.arguments.first
    {
      insert("value: ", at: argument.positionAfterSkippingLeadingTrivia)
    }
    return .visitChildren
  }

  /// Reads a call of a member in a file that uses Combine.
  func readCombine(_ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = member.declName.baseName
    let isStream = isStream(node)
    let refusals = MigrationRefusals.combineCalls
    if isStream, let advice = refusals[name.text] ?? refusals[MigrationRefusals.key(of: node, name)] {
      refuse(name, "\(name.text): \(advice)")
      return .visitChildren
    }
    if let new = Self.renamed[name.text], isStream {
      if name.text == "removeDuplicates", !node.arguments.isEmpty || node.trailingClosure != nil {
        refuse(name, "removeDuplicates(by:): use distinctUntilChanged of values that are Equatable")
      } else {
        count("operators")
        replace(name, with: new)
      }
    }
    switch name.text {
    case "sink": readSink(node, name)
    case "send": readSend(node, member)
    case "store": readStore(node, name)
    case "removeAll", "forEach", "insert":
      if let base = member.base, context.bags.contains(MigrationReader.last(of: base)) {
        refuse(name, "\(name.text) of subscriptions: bind them to a scope, or dispose of each")
      }
    case "dropFirst" where isStream:
      count("operators")
      replace(name, with: "skip")
      if node.arguments.isEmpty, let paren = node.rightParen {
        insert("1", at: paren.positionAfterSkippingLeadingTrivia)
      }
    case "first" where isStream && node.arguments.isEmpty && node.trailingClosure == nil:
      count("operators")
      replace(name, with: "take")
      if let paren = node.rightParen { insert("1", at: paren.positionAfterSkippingLeadingTrivia) }
    case "combineLatest" where isStream: readCombination(node, member, label: nil)
    case "merge" where isStream: readCombination(node, member, label: "with")
    case "CombineLatest", "CombineLatest3", "Merge", "Merge3", "Merge4", "Zip", "Zip3", "Zip4":
      if member.base?.trimmedDescription == "Publishers" {
        readPublishers(member)
        if name.text.hasPrefix("Merge") { convert(node.arguments) }
      }
    case "switchToLatest" where isStream: return readLatest(node, member)
    case "receive" where isStream, "subscribe" where isStream && node.arguments.first?.label?.text == "on":
      return readQueue(node, member)
    case "debounce", "throttle", "delay": if isStream { readTime(node, name) }
    case "share", "zip": if isStream { needsCompatibility = true }
    default: break
    }
    return .visitChildren
  }

  /// The last name of an expression: `subject` in `self.subject`.
  static func last(of expression: ExprSyntax) -> String {
    var expression = expression
    if let optional = expression.as(OptionalChainingExprSyntax.self) { expression = optional.expression }
    if let member = expression.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
    return expression.trimmedDescription
  }

  /// Whether a call is in a chain of calls on a publisher. Collections have operators with the same names.
  private func isStream(_ node: FunctionCallExprSyntax) -> Bool {
    var top = node
    while let member = top.parent?.as(MemberAccessExprSyntax.self), member.declName.baseName.text != "value",
      let call = member.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == member.id
    {
      top = call
    }
    var current: ExprSyntax? = ExprSyntax(top)
    while let expression = current {
      if let call = expression.as(FunctionCallExprSyntax.self) {
        current = call.calledExpression
      } else if let member = expression.as(MemberAccessExprSyntax.self) {
        let name = member.declName.baseName.text
        if Self.marks.contains(name) || context.subjects.contains(name) || context.publishers.contains(name) {
          return true
        }
        // The value of a subject, such as an array, is no stream.
        if name == "value" { return false }
        current = member.base
      } else {
        let name = Self.last(of: expression)
        return context.subjects.contains(name) || context.publishers.contains(name)
      }
    }
    return false
  }

  private func readSink(_ node: FunctionCallExprSyntax, _ name: TokenSyntax) {
    var arguments = Array(node.arguments)
    let start = name.positionAfterSkippingLeadingTrivia
    if arguments.first?.label?.text == "receiveCompletion" {
      let closure = arguments[0].expression.as(ClosureExprSyntax.self)
      guard closure?.statements.isEmpty == true else {
        return refuse(
          arguments[0], "receiveCompletion: streams carry no error; use onCompleted: of subscribe for the completion")
      }
      arguments.removeFirst()
    }
    guard node.additionalTrailingClosures.isEmpty else {
      return refuse(name, "sink with two closures: use subscribe(onNext:onCompleted:)")
    }
    count("subscriptions")
    if let closure = node.trailingClosure {
      replace(start..<closure.positionAfterSkippingLeadingTrivia, with: "subscribe(onNext: ")
      insert(")", at: closure.endPositionBeforeTrailingTrivia)
    } else if let value = arguments.first {
      replace(start..<value.expression.positionAfterSkippingLeadingTrivia, with: "subscribe(onNext: ")
    }
  }

  private func readSend(_ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax) {
    guard let base = member.base, context.subjects.contains(Self.last(of: base)) else { return }
    if let completion = node.arguments.first, completion.label?.text == "completion" {
      return refuse(completion, "send(completion:): a relay completes when it is released")
    }
    count("subjects")
    replace(member.declName.baseName, with: "accept")
    if node.arguments.isEmpty, let paren = node.rightParen {
      insert("()", at: paren.positionAfterSkippingLeadingTrivia)
    }
  }

  /// `subject.value = x` is `subject.accept(x)`.
  func readAssignment(_ node: SequenceExprSyntax) {
    let parts = Array(node.elements)
    guard parts.count > 2, let member = parts[0].as(MemberAccessExprSyntax.self), let base = member.base,
      member.declName.baseName.text == "value", context.subjects.contains(Self.last(of: base))
    else { return }
    let name = member.declName.baseName
    if parts[1].is(AssignmentExprSyntax.self) {
      count("subjects")
      replace(
        name.positionAfterSkippingLeadingTrivia..<parts[2].positionAfterSkippingLeadingTrivia, with: "accept(")
      insert(")", at: node.endPositionBeforeTrailingTrivia)
    } else if let sign = parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
      sign.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(sign)
    {
      refuse(name, "value: the value of a relay can only be read; use accept(_:)")
    }
  }

  private func readStore(_ node: FunctionCallExprSyntax, _ name: TokenSyntax) {
    guard node.arguments.count == 1, let argument = node.arguments.first, argument.label?.text == "in",
      let bag = argument.expression.as(InOutExprSyntax.self)?.expression
    else { return }
    guard context.bags.contains(Self.last(of: bag)) else {
      return refuse(
        argument, "store in \(bag.trimmedDescription): use a DisposeBag, or disposeOnDeactivate(interactor:)")
    }
    count("subscriptions")
    replace(name, with: "disposed")
    replace(argument, with: "by: \(bag.trimmedDescription)")
  }

  /// `a.combineLatest(b)` is `Observable.combineLatest(a, b)`.
  private func readCombination(
    _ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax, label: String?
  ) {
    guard let base = member.base, !node.arguments.isEmpty, node.trailingClosure == nil,
      let first = node.arguments.first,
      first.label?.text == label, !node.arguments.contains(where: { $0.expression.is(ClosureExprSyntax.self) })
    else {
      return refuse(member.declName, "\(member.declName.baseName.text) with a closure: add map after it")
    }
    count("operators")
    let inner = (node.leftParen?.trailingTrivia ?? []) + first.leadingTrivia
    let comments = inner.allSatisfy(\.isWhitespace) ? "" : inner.description
    let isMerge = member.declName.baseName.text == "merge"
    insert("Observable.\(member.declName.baseName.text)(", at: base.positionAfterSkippingLeadingTrivia)
    if isMerge && !base.is(FunctionCallExprSyntax.self) {
      insert(".asObservable()", at: base.endPositionBeforeTrailingTrivia)
    }
    replace(
      start(of: member, isJoined: true)..<first.expression.positionAfterSkippingLeadingTrivia, with: ", " + comments)
    if isMerge { convert(node.arguments) }
  }

  /// `merge` takes observables, and no relays.
  private func convert(_ arguments: LabeledExprListSyntax) {
    for argument in arguments where !argument.expression.is(FunctionCallExprSyntax.self) {
      insert(".asObservable()", at: argument.expression.endPositionBeforeTrailingTrivia)
    }
  }

  private func readPublishers(_ member: MemberAccessExprSyntax) {
    let name = member.declName.baseName.text.filter(\.isLetter)
    count("operators")
    if name == "Zip" { needsCompatibility = true }
    replace(member, with: "Observable." + (name == "CombineLatest" ? "combineLatest" : name.lowercased()))
  }

  /// `map { }.switchToLatest()` is `flatMapLatest { }`.
  private func readLatest(
    _ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax
  ) -> SyntaxVisitorContinueKind {
    guard let map = member.base?.as(FunctionCallExprSyntax.self),
      let callee = map.calledExpression.as(MemberAccessExprSyntax.self), callee.declName.baseName.text == "map"
    else {
      refuse(member.declName, "switchToLatest: use flatMapLatest")
      return .visitChildren
    }
    count("operators")
    replace(callee.declName.baseName, with: "flatMapLatest")
    remove(node, member)
    return .visitChildren
  }

  /// Removes `receive(on: DispatchQueue.main)`: a stream stays on its tree.
  private func readQueue(
    _ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax
  ) -> SyntaxVisitorContinueKind {
    guard let base = member.base, let queue = node.arguments.first else { return .visitChildren }
    guard Self.mainQueues.contains(queue.expression.trimmedDescription) else {
      refuse(
        queue, "\(queue.expression.trimmedDescription): streams stay on their tree; put work that leaves it into 'run'")
      return .visitChildren
    }
    count("schedulers")
    remove(node, member)
    walk(base)
    return .skipChildren
  }

  /// Removes the last call of a chain, and the white space before it.
  private func remove(_ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax) {
    let end = node.endPositionBeforeTrailingTrivia
    let rest = file.lineText(after: end).drop(while: \.isWhitespace)
    replace(start(of: member, isJoined: !rest.isEmpty && !rest.hasPrefix("//"))..<end, with: "")
  }

  /// Where the call of a member begins, with the white space before it, but without comments.
  ///
  /// - Parameter isJoined: whether code follows in place of the call, which a comment before it would take in.
  private func start(of member: MemberAccessExprSyntax, isJoined: Bool) -> AbsolutePosition {
    var position = member.period.positionAfterSkippingLeadingTrivia
    for piece in ((member.base?.trailingTrivia ?? []) + member.period.leadingTrivia).reversed() {
      guard piece.isWhitespace else {
        return isJoined && piece.isLineComment ? member.period.positionAfterSkippingLeadingTrivia : position
      }
      position -= piece.sourceLength
    }
    return position
  }

  /// `debounce(for: .seconds(1), scheduler: DispatchQueue.main)` takes the owner of the time here.
  private func readTime(_ node: FunctionCallExprSyntax, _ name: TokenSyntax) {
    let arguments = Array(node.arguments)
    guard let time = arguments.first, time.label?.text == "for", let label = time.label,
      let scheduler = arguments.first(where: { $0.label?.text == "scheduler" }), arguments.count <= 3,
      time.expression.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription.hasPrefix(".") == true
    else { return refuse(name, "\(name.text): pass a Duration, and the interactor or worker as the scheduler") }
    guard Self.mainQueues.contains(scheduler.expression.trimmedDescription), let owner = owner(at: node) else {
      return refuse(scheduler, "scheduler: pass the interactor or worker whose scope ends the time")
    }
    needsCompatibility = true
    count("schedulers")
    replace(label.positionAfterSkippingLeadingTrivia..<time.expression.positionAfterSkippingLeadingTrivia, with: "")
    let latest = arguments.first { $0.label?.text == "latest" }
    let last = latest.map { "latest: \($0.expression.trimmedDescription), " } ?? ""
    replace(
      scheduler.positionAfterSkippingLeadingTrivia..<(arguments.last ?? scheduler).endPositionBeforeTrailingTrivia,
      with: "\(last)scheduler: \(owner)")
  }
}

extension TriviaPiece {
  fileprivate var isLineComment: Bool {
    switch self {
    case .lineComment, .docLineComment: true
    default: false
    }
  }
}
