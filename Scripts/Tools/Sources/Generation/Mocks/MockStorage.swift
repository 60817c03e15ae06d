/// Where a mock keeps what a member needs, and who may touch it.
struct MockStorage {
  let isStatic: Bool
  let isNonisolated: Bool
  let isSendable: Bool
  let globalActor: String?

  /// Whether several threads may touch it at once.
  var isLocked: Bool { globalActor == nil ? isSendable || isStatic : isNonisolated }

  /// What a handler's type begins with: where it is called.
  var handlerPrefix: String {
    if isLocked { return "@Sendable " }
    return globalActor.map { $0 + " " } ?? ""
  }

  private var lock: String { isStatic ? "staticLock" : "lock" }
  private var scope: String { isStatic ? "static " : "" }
  private var isolation: String { isNonisolated && globalActor != nil ? "nonisolated " : "" }
  private var unsafe: String { isStatic || !isolation.isEmpty ? "nonisolated(unsafe) " : "" }

  /// The name of what a lock guards.
  func hidden(_ name: String) -> String { "_" + name.filter { $0 != "`" } }

  /// A count, which tests read.
  func counter(_ name: String) -> String {
    if !isLocked { return "private(set) \(scope)var \(name) = 0" }
    return """
      \(unsafe)private \(scope)var \(hidden(name)) = 0
      \(isolation)\(scope)var \(name): Int { \(lock).withLock { \(hidden(name)) } }
      """
  }

  /// Something that tests read and set.
  ///
  /// - Parameters:
  ///   - initial: its first value; nil if an initializer gives it one.
  ///   - counter: what counts how often it is set; nil if nothing does.
  func variable(_ name: String, type: String, initial: String?, counter: String? = nil, isWeak: Bool = false) -> String
  {
    let weak = isWeak ? "weak " : ""
    // A variable that may be nil is nil at first anyway.
    let isOptional = type.hasSuffix("?") || type.hasSuffix("!")
    let value = initial == nil || initial == "nil" && isOptional ? "" : " = \(initial ?? "")"
    guard isLocked else {
      let observer = counter.map { " {\ndidSet { \($0) += 1 }\n}" } ?? ""
      return "\(weak)\(scope)var \(name): \(type)\(value)\(observer)"
    }
    let count = counter.map { "_\($0) += 1\n" } ?? ""
    let set = counter == nil ? "{ \(hidden(name)) = newValue }" : "{\n\(hidden(name)) = newValue\n\(count)}"
    return """
      \(unsafe)private \(weak)\(scope)var \(hidden(name)): \(type)\(value)
      \(isolation)\(scope)var \(name): \(type) {
      get { \(lock).withLock { \(hidden(name)) } }
      set { \(lock).withLock \(set) }
      }
      """
  }

  /// Statements that change what is stored.
  func changing(_ statements: [(name: String, rest: String)]) -> String {
    if !isLocked { return statements.map { $0.name + $0.rest }.joined(separator: "\n") }
    return "\(lock).withLock {\n\(statements.map { hidden($0.name) + $0.rest }.joined(separator: "\n"))\n}"
  }
}
