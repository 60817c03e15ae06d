// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SwiftSyntax

/// Reads one file of an app, and collects the edits that migrate it and the places that can't be migrated.
final class MigrationReader: SyntaxVisitor {
  /// The library whose streams a file uses.
  enum Style {
    case rx, combine
    /// None: only RIBs.
    case plain
  }

  let file: SourceFile
  let context: MigrationContext
  /// Nil if the file does not concern RIBs.
  let style: Style?
  /// The imported modules.
  private let modules: Set<String>

  private(set) var refusals: [(position: AbsolutePosition, line: Int, reason: String)] = []
  private(set) var notes: [String] = []
  private(set) var counts: [String: Int] = [:]
  /// Whether the migrated file uses something of RxCompatibility.
  var needsCompatibility = false
  private var replacements: [TextEdit] = []
  /// Insertions by position; the ones of outer expressions come first.
  private var insertions: [AbsolutePosition: String] = [:]
  private var types: [String] = []

  private static let rx: Set<String> = ["RxSwift", "RxRelay", "RxCocoa"]
  private static let combine: Set<String> = ["ModernRIBs", "Combine"]

  init(_ file: SourceFile, _ context: MigrationContext) {
    self.file = file
    self.context = context
    modules = Set(MigrationReader.imports(of: file).map { MigrationReader.module(of: $0) })
    if let style = MigrationReader.style(of: modules) {
      self.style = style
    } else if modules.isDisjoint(with: Set(MigrationRefusals.modules.keys).union(["RIBs"])) {
      style = nil
    } else {
      // It may get its streams through a file that exports them.
      style = MigrationReader.style(of: context.exported) ?? .plain
    }
    super.init(viewMode: .sourceAccurate)
  }

  private static func style(of modules: Set<String>) -> Style? {
    if !modules.isDisjoint(with: rx) { return .rx }
    return modules.isDisjoint(with: combine) ? nil : .combine
  }

  /// The edits of the file.
  var edits: [TextEdit] { replacements + insertions.map { TextEdit(at: $0.key, $0.value) } }

  /// Reads the file.
  func read() {
    walk(file.syntax)
    readImports()
  }

  // MARK: Results

  func refuse(_ node: some SyntaxProtocol, _ reason: String) {
    let position = node.positionAfterSkippingLeadingTrivia
    refusals.append((position, file.line(at: position), reason))
  }

  func note(_ node: some SyntaxProtocol, _ text: String) { notes.append("\(file.place(of: node)): \(text)") }

  func count(_ kind: String) { counts[kind, default: 0] += 1 }

  /// Replaces a node without the trivia around it.
  func replace(_ node: some SyntaxProtocol, with text: String) {
    replace(node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia, with: text)
  }

  func replace(_ range: Range<AbsolutePosition>, with text: String) { replacements.append(TextEdit(range, text)) }

  func insert(_ text: String, at position: AbsolutePosition) { insertions[position, default: ""] += text }

  // MARK: Imports

  static func imports(of file: SourceFile) -> [ImportDeclSyntax] {
    file.syntax.statements.compactMap { $0.item.as(ImportDeclSyntax.self) }
  }

  static func module(of node: ImportDeclSyntax) -> String { node.path.first?.name.text ?? "" }

  /// The attributes and modifiers of the import that reaches farthest.
  private static func prefix(of nodes: [ImportDeclSyntax]) -> String {
    let prefixes = nodes.map { node in
      let attributes = node.attributes.map(\.trimmedDescription).filter { $0 != "@preconcurrency" }
      return (attributes + node.modifiers.map(\.trimmedDescription)).map { $0 + " " }.joined()
    }
    let words = ["@_exported", "public", "package"]
    func reach(_ prefix: String) -> Int {
      words.firstIndex { prefix.contains($0) } ?? words.count + (prefix.contains("private") ? 1 : 0)
    }
    return prefixes.min { reach($0) < reach($1) } ?? ""
  }

  private func readImports() {
    let all = MigrationReader.imports(of: file)
    for node in all {
      if let advice = MigrationRefusals.modules[MigrationReader.module(of: node)] {
        refuse(node, "import \(MigrationReader.module(of: node)): \(advice)")
      }
    }
    guard let style else { return }
    let old = all.filter { (style == .rx ? Self.rx : Self.combine).contains(MigrationReader.module(of: $0)) }
    guard style != .plain, !old.isEmpty else { return importCompatibility(after: all) }
    // A file may name types of the runtime that it got through the module of the streams.
    var new = style == .rx || needsCompatibility ? ["RIBs", "RxCompatibility"] : ["RIBs"]
    let kept = all.filter { node in !old.contains(node) }.map(MigrationReader.module)
    new.removeAll(where: kept.contains)
    let hasFoundation = !MigrationReader.withFoundation.isDisjoint(with: kept)
    if !hasFoundation && usesFoundation { new.insert("Foundation", at: 0) }
    for (index, node) in old.enumerated() {
      count("imports")
      // The last one, so that sorted imports stay sorted.
      if index == old.count - 1 && !new.isEmpty {
        let prefix = MigrationReader.prefix(of: old)
        replace(node, with: new.map { prefix + "import " + $0 }.joined(separator: "\n"))
      } else {
        replace(node.positionAfterSkippingLeadingTrivia..<endOfLine(after: node), with: "")
      }
    }
  }

  /// Imports RxCompatibility in a file without streams that needs it.
  private func importCompatibility(after all: [ImportDeclSyntax]) {
    let modules = all.map(MigrationReader.module)
    guard needsCompatibility, !modules.contains("RxCompatibility"), let index = modules.lastIndex(of: "RIBs") else {
      return
    }
    count("imports")
    let prefix = MigrationReader.prefix(of: [all[index]])
    insert("\n\(prefix)import RxCompatibility", at: all[index].endPositionBeforeTrailingTrivia)
  }

  /// Modules that have Foundation's types.
  private static let withFoundation: Set<String> = ["AppKit", "Cocoa", "Foundation", "SwiftUI", "UIKit"]
  private static let foundation: Set<String> = [
    "Bundle", "Calendar", "Data", "Date", "DateComponents", "DateFormatter", "Decimal", "DispatchQueue", "FileManager",
    "JSONDecoder", "JSONEncoder", "Locale", "NSError", "Notification", "NotificationCenter", "NumberFormatter",
    "TimeInterval", "TimeZone", "URL", "URLRequest", "URLSession", "UUID", "UserDefaults",
  ]

  /// Whether the file uses types of Foundation, which it may have got through the module of the streams.
  private var usesFoundation: Bool {
    let declared = Set(file.declarations.map(\.name))
    return file.syntax.tokens(viewMode: .sourceAccurate).contains { token in
      guard Self.foundation.contains(token.text), !declared.contains(token.text), let parent = token.parent else {
        return false
      }
      if parent.is(IdentifierTypeSyntax.self) { return true }
      return parent.is(DeclReferenceExprSyntax.self)
        && parent.parent?.as(MemberAccessExprSyntax.self)?.declName.id != parent.id
    }
  }

  /// The end of the line of a node, including its end.
  private func endOfLine(after node: some SyntaxProtocol) -> AbsolutePosition {
    let end = node.endPositionBeforeTrailingTrivia
    let rest = file.lineText(after: end)
    guard rest.allSatisfy({ $0 == " " || $0 == "\t" }) else { return end }
    let offset = end.utf8Offset + rest.utf8.count
    let bytes = Array(file.text.utf8.dropFirst(offset).prefix(2))
    let newline = bytes.first == UInt8(ascii: "\r") ? 2 : bytes.first == UInt8(ascii: "\n") ? 1 : 0
    return AbsolutePosition(utf8Offset: offset + newline)
  }

  // MARK: Types

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: EnumDeclSyntax) { types.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
  override func visitPost(_ node: ActorDeclSyntax) { types.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(Declaration.baseName(of: node.extendedType))
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

  private func enter(_ name: String) -> SyntaxVisitorContinueKind {
    types.append(name)
    return .visitChildren
  }

  /// The role of the innermost type.
  var role: MigrationContext.Role? { types.last.flatMap(context.role) }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    readName(node.name, node.genericArgumentClause)
    return .visitChildren
  }

  override func visit(_ node: GenericSpecializationExprSyntax) -> SyntaxVisitorContinueKind {
    if let reference = node.expression.as(DeclReferenceExprSyntax.self) {
      readName(reference.baseName, node.genericArgumentClause)
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
    if !isMember, node.parent?.is(GenericSpecializationExprSyntax.self) != true { readName(node.baseName, nil) }
    return .visitChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    if style == .combine, node.attributeName.trimmedDescription == "Published" {
      refuse(node, "@Published: keep a private BehaviorRelay, and its asObservable()")
    }
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    style == .combine ? readCombine(node) : .visitChildren
  }

  /// The builders of RxCompatibility.
  private static let builders: Set<String> = [
    "ComponentizedBuilder", "SimpleComponentizedBuilder", "MultiStageComponentizedBuilder",
    "SimpleMultiStageComponentizedBuilder",
  ]

  /// Rewrites or refuses the name of a type.
  private func readName(_ name: TokenSyntax, _ arguments: GenericArgumentClauseSyntax?) {
    if context.ownTypes.contains(name.text) { return }
    if Self.builders.contains(name.text) { needsCompatibility = true }
    if style == .combine, readCombine(name, arguments) { return }
    var all = style == .rx ? MigrationRefusals.rxTypes : style == .combine ? MigrationRefusals.combineTypes : [:]
    if modules.contains("RxCocoa") { all.merge(MigrationRefusals.cocoaTypes) { $1 } }
    if let advice = all[name.text] ?? MigrationRefusals.types[name.text] { refuse(name, "\(name.text): \(advice)") }
  }

  // MARK: Expressions

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.baseName
    if name.text == "uiviewController", !context.ownMembers.contains("uiviewController") {
      refuse(
        name,
        "uiviewController: ViewControllable is an empty protocol here; write an extension of it with this property, in a "
          + "file with the views, and run this again")
    }
    if style == .rx, name.text == "rx" {
      refuse(name, "rx: have the view call its listener, or send on a PublishSubject, from a target and action")
    }
    if let member = node.parent?.as(MemberAccessExprSyntax.self), name.text == "children",
      ["append", "remove", "removeAll", "insert"].contains(member.declName.baseName.text),
      node.base.map({ $0.trimmedDescription.hasSuffix("outer") }) == true
    {
      refuse(name, "children can only be read; use attachChild and detachChild")
    }
    return .visitChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    if style == .combine { readAssignment(node) }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    readTask(node)
    if style == .combine { readSubject(node) }
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return .visitChildren }
    if let advice = MigrationRefusals.calls[MigrationRefusals.key(of: node, member.declName.baseName)],
      !context.ownMembers.contains(member.declName.baseName.text)
    {
      refuse(member.declName, "\(member.declName.baseName.text): \(advice)")
    }
    switch style {
    case .rx: return readRx(node, member)
    case .combine: return readCombine(node, member)
    case .plain, nil: return .visitChildren
    }
  }

  /// How code at a node reaches the interactor or worker that contains it.
  ///
  /// - Returns: `self`, `self?`, or an empty text for a member's name alone; nil if there is none.
  func prefix(at node: some SyntaxProtocol) -> String? {
    var current = Syntax(node)
    var isInClosure = false
    while let parent = current.parent {
      if let closure = parent.as(ClosureExprSyntax.self) {
        isInClosure = true
        if MigrationReader.captures(of: closure).contains("weak self") {
          let unwraps = closure.statements.contains { statement in
            let text = statement.trimmedDescription
            return text.hasPrefix("guard let self") || text.hasPrefix("guard let `self`")
          }
          return unwraps ? "self." : "self?."
        }
      }
      if parent.is(MemberBlockSyntax.self) { return isInClosure ? "self." : "" }
      if let function = parent.as(FunctionDeclSyntax.self),
        function.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
      {
        return nil
      }
      if parent.is(InitializerDeclSyntax.self) || parent.is(DeinitializerDeclSyntax.self) { return nil }
      current = parent
    }
    return nil
  }

  /// The interactor or worker as an argument, where it is `self`.
  func owner(at node: some SyntaxProtocol) -> String? {
    guard role == .interactor || role == .worker, let prefix = prefix(at: node), prefix != "self?.",
      !needsCapture(at: node)
    else { return nil }
    return "self"
  }

  /// Whether `self` at a node would make a closure capture it that does not yet, so that a subscription kept it.
  private func needsCapture(at node: some SyntaxProtocol) -> Bool {
    var current = node.parent
    while let parent = current, !parent.is(MemberBlockSyntax.self) {
      if let closure = parent.as(ClosureExprSyntax.self), !isWork(closure) {
        return !closure.tokens(viewMode: .sourceAccurate).contains { $0.text == "self" }
      }
      current = parent.parent
    }
    return false
  }

  /// Whether a closure is that of a task, which ends with its scope.
  private func isWork(_ closure: ClosureExprSyntax) -> Bool {
    guard let call = closure.parent?.as(FunctionCallExprSyntax.self) else { return false }
    return ["Task", "task", "run", "self.task", "self.run"].contains(call.calledExpression.trimmedDescription)
  }

  /// Refuses work that begins in a callback which ends the scope, where it would not run.
  ///
  /// - Returns: whether it is such work.
  func refuseAtEnd(_ node: some SyntaxProtocol, _ work: String) -> Bool {
    var current = node.parent
    while let parent = current, !parent.is(MemberBlockSyntax.self) {
      if let name = parent.as(FunctionDeclSyntax.self)?.name.text, name == "willResignActive" || name == "didStop" {
        refuse(
          node,
          "\(work) in \(name)(): bound work ends here; send it from a client outside the tree, or hand it to the listener "
            + "before the detach")
        return true
      }
      current = parent.parent
    }
    return false
  }

  // MARK: Tasks

  private func readTask(_ node: FunctionCallExprSyntax) {
    let text = node.calledExpression.trimmedDescription
    guard text == "Task" || text == "Task.detached", let role else { return }
    if text == "Task.detached" {
      return refuse(node, "Task.detached: use 'run' of the interactor, which leaves the tree")
    }
    guard role == .interactor || role == .worker else {
      return refuse(node, "Task in a \(role): call a method of the interactor, which starts it with 'task { }'")
    }
    guard node.isDiscarded else {
      return note(node, "this task is kept; 'task { }' ends with its scope, and returns a handle")
    }
    if refuseAtEnd(node, "Task") { return }
    guard node.arguments.isEmpty, let closure = node.trailingClosure,
      closure.signature?.attributes.isEmpty != false
    else { return refuse(node, "Task with a priority or an actor: use 'task { }', which runs on the tree") }
    guard let prefix = prefix(at: node) else {
      return refuse(node, "Task in an initializer or a static function: start it in didBecomeActive()")
    }
    if prefix != "self?.", needsCapture(at: node) {
      return refuse(node, "Task in a closure that does not capture self: capture self weakly first")
    }
    count("tasks")
    replace(node.calledExpression, with: prefix + "task")
    captureSelf(in: closure)
  }

  /// The items of a closure's capture list.
  private static func captures(of closure: ClosureExprSyntax) -> [String] {
    closure.signature?.capture?.items.map { $0.with(\.trailingComma, nil).trimmedDescription } ?? []
  }

  /// The closure of a `Task` may use members without `self`, and that of `task` only if it captures it.
  private func captureSelf(in closure: ClosureExprSyntax) {
    let captures = MigrationReader.captures(of: closure)
    guard !captures.contains(where: { $0.hasSuffix("self") }), let type = types.last else { return }
    let members = context.members(of: type).subtracting(captures)
    let usesMember = closure.statements.tokens(viewMode: .sourceAccurate).contains { token in
      guard members.contains(token.text), let reference = token.parent?.as(DeclReferenceExprSyntax.self) else {
        return false
      }
      return reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id != reference.id
    }
    guard usesMember else { return }
    if let capture = closure.signature?.capture {
      insert("self, ", at: capture.leftSquare.endPositionBeforeTrailingTrivia)
    } else if let signature = closure.signature {
      insert("[self] ", at: signature.positionAfterSkippingLeadingTrivia)
    } else {
      insert(" [self] in", at: closure.leftBrace.endPositionBeforeTrailingTrivia)
    }
  }
}
