// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Inspects each type of a file by itself for possible violations.
final class CandidateFinder: SyntaxVisitor {
  private let file: SourceFile
  private var found: [Candidate] = []
  private var path: [[String]] = []
  /// The methods of the file that are called in bare tasks, and those called elsewhere.
  private var calledInTasks: Set<String> = []
  private var calledElsewhere: Set<String> = []
  /// Loops in asynchronous methods, with the name of the method.
  private var loops: [(method: String, candidate: Candidate)] = []

  /// The types of the file that conform to `Saving`, each with the properties that its state is computed from.
  private let savingTypes: [[String]: Set<String>]

  static func candidates(in file: SourceFile) -> [Candidate] {
    let finder = CandidateFinder(file: file)
    finder.walk(file.syntax)
    for loop in finder.loops
    where finder.calledInTasks.contains(loop.method) && !finder.calledElsewhere.contains(loop.method) {
      finder.found.append(loop.candidate)
    }
    return finder.found
  }

  private init(file: SourceFile) {
    self.file = file
    savingTypes = SavingTypes.find(in: file)
    super.init(viewMode: .sourceAccurate)
  }

  private func candidate(
    _ rule: Rule, at node: some SyntaxProtocol, in roles: Set<Role>?, _ message: String
  ) -> Candidate {
    Candidate(
      finding: Finding(
        rule: rule, path: file.path, line: file.line(at: node.positionAfterSkippingLeadingTrivia), message: message),
      type: path.last ?? [], roles: roles)
  }

  private func report(_ rule: Rule, at node: some SyntaxProtocol, in roles: Set<Role>?, _ message: String) {
    found.append(candidate(rule, at: node, in: roles, message))
  }

  // MARK: Types

  private func enter(_ names: [String]) -> SyntaxVisitorContinueKind {
    path.append((path.last ?? []) + names)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text]) }
  override func visitPost(_ node: ClassDeclSyntax) { path.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text]) }
  override func visitPost(_ node: StructDeclSyntax) { path.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text]) }
  override func visitPost(_ node: EnumDeclSyntax) { path.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter([node.name.text]) }
  override func visitPost(_ node: ActorDeclSyntax) { path.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription.split(separator: ".").map(String.init))
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { path.removeLast() }

  // MARK: Properties

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    checkAsyncLet(node)
    guard node.parent?.is(MemberBlockItemSyntax.self) == true else { return .visitChildren }
    let modifiers = Set(node.modifiers.map(\.name.text))
    guard modifiers.isDisjoint(with: ["static", "class"]) else { return .visitChildren }
    for binding in node.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      let type = Declaration.type(of: binding).map { Declaration.baseName(of: $0) } ?? ""
      let isStored = CandidateFinder.isStored(binding)
      if isStored && modifiers.isDisjoint(with: ["weak", "unowned"]) { checkReference(name, type, at: node) }
      if name == "id" { checkIdentity(binding, isStored: isStored, at: node) }
    }
    return .visitChildren
  }

  private static func isStored(_ binding: PatternBindingSyntax) -> Bool {
    switch binding.accessorBlock?.accessors {
    case .getter: false
    case .accessors(let accessors):
      accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    default: true
    }
  }

  private func checkReference(_ name: String, _ type: String, at node: VariableDeclSyntax) {
    if name == "listener", type.hasSuffix("Listener") {
      report(
        .weakListener, at: node, in: [.interactor, .presenter, .viewController],
        "'\(name)' keeps the listener alive; write 'weak var \(name): \(type)?'")
    } else if name == "router", type.hasSuffix("Routing") || type.hasSuffix("Router") {
      report(
        .weakRouter, at: node, in: [.interactor],
        "'\(name)' keeps the router alive, which keeps this interactor alive; write 'weak var \(name): \(type)?'")
    } else if type == "TreeHost" {
      report(
        .weakHost, at: node, in: [.interactor, .router, .worker, .builder, .component],
        "'\(name)' keeps a host alive; if it is the host of this RIB's tree, the tree never ends: make it weak")
    }
  }

  private func checkIdentity(_ binding: PatternBindingSyntax, isStored: Bool, at node: VariableDeclSyntax) {
    let value = isStored ? binding.initializer.map { Syntax($0) } : binding.accessorBlock.map { Syntax($0) }
    guard let value, CallFinder.calls(in: value).contains("UUID") else { return }
    // A stored property of a class instance is evaluated once per object, so it is stable.
    let parent = node.parent?.parent?.parent?.parent
    if isStored && (parent?.is(ClassDeclSyntax.self) == true || parent?.is(ActorDeclSyntax.self) == true) { return }
    report(
      .unstableIdentity, at: node, in: [.model],
      isStored
        ? "each '\(path.last?.last ?? "")' that is made has another 'id'; take it from what the model stands for"
        : "'id' is another one each time; take it from what the model stands for")
  }

  // MARK: Methods

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let roles: [String: Role] = [
      "didBecomeActive": .interactor, "willResignActive": .interactor, "didLoad": .router, "didStart": .worker,
      "didStop": .worker,
    ]
    let name = node.name.text
    if let role = roles[name], node.modifiers.contains(where: { $0.name.text == "override" }), let body = node.body,
      !CallFinder.superCalls(in: Syntax(body)).contains(name)
    {
      let arguments = node.signature.parameterClause.parameters.isEmpty ? "" : "…"
      report(.missingSuperCall, at: node.name, in: [role], "'\(name)' does not call 'super.\(name)(\(arguments))'")
    }
    if name == "didBecomeActive", let body = node.body, let properties = savingTypes[path.last ?? []] {
      checkReset(of: properties, in: body)
    }
    return .visitChildren
  }

  /// Finds statements that set a saved state to a constant.
  private func checkReset(of properties: Set<String>, in body: CodeBlockSyntax) {
    for statement in body.statements {
      guard let sequence = statement.item.as(SequenceExprSyntax.self), sequence.elements.count == 3 else { continue }
      let parts = Array(sequence.elements)
      guard parts[1].is(AssignmentExprSyntax.self), CandidateFinder.isConstant(parts[2]) else { continue }
      let names = parts[0].trimmedDescription.split(separator: ".").filter { $0 != "self" }
      guard let name = names.first.map(String.init), properties.contains(name) else { continue }
      report(
        .resetSavedState, at: statement, in: [.interactor],
        "this replaces the restored state; set '\(name)' where it is declared, and do here what the state requires")
    }
  }

  /// Whether an expression is a literal, an implicit member, or a value created without arguments.
  private static func isConstant(_ expression: ExprSyntax) -> Bool {
    switch expression.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .nilLiteralExpr: true
    case .stringLiteralExpr(let string): string.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    case .arrayExpr(let array): array.elements.isEmpty
    case .dictionaryExpr(let dictionary): dictionary.content.is(TokenSyntax.self)
    case .memberAccessExpr(let member): member.base == nil
    case .functionCallExpr(let call):
      call.arguments.isEmpty && call.trailingClosure == nil
        && call.calledExpression.trimmedDescription.first?.isUppercase == true
    default: false
    }
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    for (name, base, call) in CallFinder.all(in: Syntax(body), entersClosures: false) {
      let isWork = ["attachChild", "detachChild", "subscribe", "sink", "task", "Task", "detached"].contains(name)
      let isTold = base == "router" || base == "listener"
      guard isWork || isTold else { continue }
      let isRouting = name == "attachChild" || name == "detachChild"
      report(
        .logicInInit, at: call, in: [.interactor, .router],
        "'\(isTold && !isWork ? "\(base).\(name)" : name)' is called in an initializer; do it in "
          + (isRouting ? "'didLoad'" : "'didBecomeActive' of the interactor"))
    }
    return .visitChildren
  }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.modifiers.contains(where: { $0.name.text == "isolated" }) {
      report(
        .isolatedDeinit, at: node, in: [.interactor, .router, .worker, .presenter, .builder, .component],
        "what '\(path.last?.last ?? "")' releases leaves the tree; write a plain 'deinit', and end what it owns in "
          + "'willResignActive()' or 'didStop()'")
    }
    return .visitChildren
  }

  // MARK: Tasks

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    noteCall(node)
    let isBare = CandidateFinder.isBareTask(node)
    if isBare, node.isDiscarded {
      report(
        .unboundTask, at: node, in: [.interactor, .router, .worker],
        "this task is bound to nothing; start it with 'task { }' of the interactor or the worker, which ends it")
    }
    checkChildTask(node)
    checkExecutor(node)
    if isBare || CandidateFinder.isBoundTask(node) { checkFirstStatement(of: node, isBare: isBare) }
    return .visitChildren
  }

  private func noteCall(_ node: FunctionCallExprSyntax) {
    let callee = node.calledExpression
    let name: String
    if let reference = callee.as(DeclReferenceExprSyntax.self) {
      name = reference.baseName.text
    } else if let member = callee.as(MemberAccessExprSyntax.self) {
      name = member.declName.baseName.text
    } else {
      return
    }
    if CandidateFinder.surroundings(of: Syntax(node)) == .bareTask {
      calledInTasks.insert(name)
    } else {
      calledElsewhere.insert(name)
    }
  }

  /// `Task { }`, `Task(priority: …) { }` and `Task.detached { }`.
  private static func isBareTask(_ node: FunctionCallExprSyntax) -> Bool {
    var callee = node.calledExpression
    if let generic = callee.as(GenericSpecializationExprSyntax.self) { callee = generic.expression }
    if let reference = callee.as(DeclReferenceExprSyntax.self) {
      return reference.baseName.text == "Task" && (node.trailingClosure != nil || !node.arguments.isEmpty)
    }
    guard let member = callee.as(MemberAccessExprSyntax.self) else { return false }
    return member.declName.baseName.text == "detached" && member.base?.trimmedDescription == "Task"
  }

  /// `task { }` of an interactor or a worker, and its variants.
  private static func isBoundTask(_ node: FunctionCallExprSyntax) -> Bool {
    let callee = node.calledExpression
    let name = callee.as(DeclReferenceExprSyntax.self)?.baseName.text
    let member = callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return (name ?? member) == "task"
  }

  private func checkFirstStatement(of node: FunctionCallExprSyntax, isBare: Bool) {
    let closure = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self)
    guard let first = closure?.statements.first, case .expr(let expression) = first.item else { return }
    var isSetting = false
    if let sequence = expression.as(SequenceExprSyntax.self) {
      let parts = Array(sequence.elements)
      guard parts.count >= 3, parts[1].is(AssignmentExprSyntax.self) else { return }
      let target = parts[0].trimmedDescription.split(separator: ".").last?.lowercased() ?? ""
      let value = parts[2].trimmedDescription
      isSetting =
        CandidateFinder.isBusy(value)
        || (value == "true" && ["loading", "busy", "running", "progress"].contains { target.contains($0) })
    } else if let call = expression.as(FunctionCallExprSyntax.self),
      call.calledExpression.trimmedDescription.hasSuffix(".accept"), let value = call.arguments.first
    {
      isSetting = CandidateFinder.isBusy(value.expression.trimmedDescription)
    }
    guard isSetting else { return }
    report(
      .stateSetInsideTask, at: expression, in: [.interactor, .router, .worker, .presenter],
      "this is set when the task begins, which is later; set it before '\(isBare ? "Task" : "task") { }'")
  }

  private static func isBusy(_ value: String) -> Bool {
    [".loading", ".busy", ".inProgress", ".pending", ".running"].contains { value.hasPrefix($0) }
  }

  // MARK: Child tasks

  /// `group.addTask { }` and its variants, without an executor preference.
  private func checkChildTask(_ node: FunctionCallExprSyntax) {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return }
    let name = member.declName.baseName.text
    guard ["addTask", "addTaskUnlessCancelled"].contains(name),
      !node.arguments.contains(where: { $0.label?.text == "executorPreference" }), runsOnTree(Syntax(node))
    else { return }
    let closure = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self)
    // An isolated closure runs on its actor.
    guard let closure, closure.signature?.attributes.isEmpty != false else { return }
    report(
      .groupOnTree, at: node, in: [.interactor, .worker],
      "this child task runs on the tree; use 'inParallel', or '\(name)(executorPreference: globalConcurrentExecutor)'")
  }

  private func checkAsyncLet(_ node: VariableDeclSyntax) {
    guard node.modifiers.contains(where: { $0.name.text == "async" }), runsOnTree(Syntax(node)) else { return }
    report(
      .groupOnTree, at: node, in: [.interactor, .worker],
      "this child task runs on the tree; use 'inParallel', or a task group with 'addTask(executorPreference: "
        + "globalConcurrentExecutor)'")
  }

  /// Whether the nearest call that determines where its closure runs is `task` of an interactor or a worker.
  private func runsOnTree(_ node: Syntax) -> Bool {
    var current = node
    while let parent = current.parent {
      if let closure = parent.as(ClosureExprSyntax.self), let call = CandidateFinder.call(with: closure) {
        if CandidateFinder.isBoundTask(call) { return CandidateFinder.isOwnCall(call) }
        if CandidateFinder.isBareTask(call) || CandidateFinder.leavesTree(call) { return false }
      }
      if parent.is(MemberBlockSyntax.self) { return false }
      current = parent
    }
    return false
  }

  /// Whether a function is called by its bare name or on `self`.
  private static func isOwnCall(_ node: FunctionCallExprSyntax) -> Bool {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return true }
    return ["self", "self?", "this?"].contains(member.base?.trimmedDescription)
  }

  /// Whether the closures of a call run outside the isolation of the surrounding code.
  private static func leavesTree(_ node: FunctionCallExprSyntax) -> Bool {
    if node.arguments.contains(where: { $0.label?.text == "executorPreference" }) { return true }
    let callee = node.calledExpression
    let name =
      callee.as(DeclReferenceExprSyntax.self)?.baseName.text
      ?? callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return ["inParallel", "run", "perform", "attach", "withTaskExecutorPreference"].contains(name)
  }

  // MARK: Executors

  /// Finds closures that run on another executor and use an object of the tree.
  private func checkExecutor(_ node: FunctionCallExprSyntax) {
    let callee = node.calledExpression
    let name =
      callee.as(DeclReferenceExprSyntax.self)?.baseName.text
      ?? callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    let preference =
      node.argument("executorPreference")
      ?? (name == "withTaskExecutorPreference" ? node.arguments.first : nil)
    guard let preference, !preference.expression.is(NilLiteralExprSyntax.self) else { return }
    let closure = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self)
    // An isolated closure runs on its actor.
    guard let closure, closure.signature?.attributes.isEmpty != false else { return }
    let given = CandidateFinder.objects(givenTo: Syntax(node))
    guard let used = CandidateFinder.reference(in: closure, to: given.union(["self"])) else { return }
    report(
      .executorOffTree, at: node, in: given.contains(used) ? nil : [.interactor, .router, .worker, .presenter],
      "'\(used)' leaves the tree with this closure; pass Sendable values to it, or use 'run' or 'inParallel'")
  }

  /// The names of the objects of a tree that the closures around a node take: those of the steps of a workflow, and of
  /// `perform`.
  private static func objects(givenTo node: Syntax) -> Set<String> {
    var names: Set<String> = []
    var current = node.parent
    while let node = current, !node.is(MemberBlockSyntax.self) {
      current = node.parent
      guard let closure = node.as(ClosureExprSyntax.self), let call = call(with: closure),
        let callee = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
          ?? call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
        ["onStep", "perform"].contains(callee)
      else { continue }
      let clause = closure.signature?.parameterClause
      if let list = clause?.as(ClosureShorthandParameterListSyntax.self) {
        names.formUnion(list.map(\.name.text))
      } else if let list = clause?.as(ClosureParameterClauseSyntax.self)?.parameters {
        names.formUnion(list.map { ($0.secondName ?? $0.firstName).text })
      } else {
        names.insert("$0")
      }
    }
    return names.subtracting(["_"])
  }

  /// The first of some names that a closure refers to, or captures.
  private static func reference(in closure: ClosureExprSyntax, to names: Set<String>) -> String? {
    let captured = closure.signature?.capture?.items.filter { $0.initializer == nil }.map(\.name.text) ?? []
    if let name = captured.first(where: names.contains) { return name }
    return closure.statements.tokens(viewMode: .sourceAccurate).first { token in
      guard names.contains(token.text), let reference = token.parent?.as(DeclReferenceExprSyntax.self) else {
        return false
      }
      return reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id != reference.id
    }?.text
  }

  // MARK: Loops

  private enum Surroundings {
    case bareTask, boundWork, method(String), other

    static func == (one: Surroundings, other: Surroundings) -> Bool {
      switch (one, other) {
      case (.bareTask, .bareTask), (.boundWork, .boundWork), (.other, .other): true
      case (.method(let one), .method(let other)): one == other
      default: false
      }
    }
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    guard node.awaitKeyword != nil else { return .visitChildren }
    let candidate = candidate(
      .endlessLoop, at: node, in: [.interactor, .router, .worker],
      "this loop goes on when the RIB has ended; put it in 'task { }' of the interactor or the worker")
    switch CandidateFinder.surroundings(of: Syntax(node)) {
    case .bareTask: found.append(candidate)
    case .method(let name): loops.append((name, candidate))
    case .boundWork, .other: break
    }
    return .visitChildren
  }

  /// The construct that determines how long a node runs.
  private static func surroundings(of node: Syntax) -> Surroundings {
    var current = node
    while let parent = current.parent {
      if let closure = parent.as(ClosureExprSyntax.self), let call = call(with: closure) {
        if isBareTask(call) { return call.isDiscarded || !isCancelled(call) ? .bareTask : .boundWork }
        if isBoundTask(call) { return .boundWork }
      }
      if let function = parent.as(FunctionDeclSyntax.self) {
        return function.signature.effectSpecifiers?.asyncSpecifier == nil ? .other : .method(function.name.text)
      }
      if parent.is(MemberBlockSyntax.self) { return .other }
      current = parent
    }
    return .other
  }

  private static func call(with closure: ClosureExprSyntax) -> FunctionCallExprSyntax? {
    if let call = closure.parent?.as(FunctionCallExprSyntax.self) { return call }
    guard let argument = closure.parent?.as(LabeledExprSyntax.self) else { return nil }
    return argument.parent?.parent?.as(FunctionCallExprSyntax.self)
  }

  /// Whether a member of a task is used, for example to bind it to a RIB, or the task is stored in a file that
  /// cancels tasks.
  private static func isCancelled(_ call: FunctionCallExprSyntax) -> Bool {
    if call.parent?.is(MemberAccessExprSyntax.self) == true { return true }
    return call.root.description.contains(".cancel()")
  }
}
