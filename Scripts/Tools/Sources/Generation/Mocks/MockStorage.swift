// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The storage of a mock member and its isolation.
struct MockStorage {
  let isStatic: Bool
  let isNonisolated: Bool
  let isSendable: Bool
  let globalActor: String?
  /// The names that the protocol uses.
  var reserved: Set<String> = []

  /// Whether several threads may access it concurrently.
  var isLocked: Bool { globalActor == nil ? isSendable || isStatic : isNonisolated }

  /// The attributes of a handler's type, which determine its isolation.
  var handlerPrefix: String {
    if isLocked { return "@Sendable " }
    return globalActor.map { $0 + " " } ?? ""
  }

  /// The property with the lock.
  var lock: String {
    let name = isStatic ? "staticLock" : "lock"
    if !reserved.contains(name) { return name }
    let more = (1...).lazy.map { "\(name)OfMock\($0 == 1 ? "" : "\($0)")" }
    return more.first { !reserved.contains($0) } ?? name
  }
  private var scope: String { isStatic ? "static " : "" }
  private var isolation: String { isNonisolated && globalActor != nil ? "nonisolated " : "" }
  private var unsafe: String { isStatic || !isolation.isEmpty ? "nonisolated(unsafe) " : "" }

  /// The name of the storage protected by a lock.
  func hidden(_ name: String) -> String {
    let bare = name.filter { $0 != "`" }
    return reserved.contains("_" + bare) ? "_stored_" + bare : "_" + bare
  }

  /// A counter that tests read.
  func counter(_ name: String) -> String {
    if !isLocked { return "private(set) \(scope)var \(name) = 0" }
    return """
      \(unsafe)private \(scope)var \(hidden(name)) = 0
      \(isolation)\(scope)var \(name): Int { \(lock).withLock { \(hidden(name)) } }
      """
  }

  /// A variable that tests read and set.
  ///
  /// - Parameters:
  ///   - initial: the initial value; nil if an initializer sets it.
  ///   - counter: the counter of assignments; nil for none.
  func variable(_ name: String, type: String, initial: String?, counter: String? = nil, isWeak: Bool = false) -> String
  {
    let weak = isWeak ? "weak " : ""
    // An optional variable is nil by default.
    let isOptional = type.hasSuffix("?") || type.hasSuffix("!")
    let value = initial == nil || initial == "nil" && isOptional ? "" : " = \(initial ?? "")"
    guard isLocked else {
      let observer = counter.map { " {\ndidSet { \($0) += 1 }\n}" } ?? ""
      return "\(weak)\(scope)var \(name): \(type)\(value)\(observer)"
    }
    let count = counter.map { "\(hidden($0)) += 1\n" } ?? ""
    let set = counter == nil ? "{ \(hidden(name)) = newValue }" : "{\n\(hidden(name)) = newValue\n\(count)}"
    return """
      \(unsafe)private \(weak)\(scope)var \(hidden(name)): \(type)\(value)
      \(isolation)\(scope)var \(name): \(type) {
      get { \(lock).withLock { \(hidden(name)) } }
      set { \(lock).withLock \(set) }
      }
      """
  }

  /// Statements that modify the storage.
  func changing(_ statements: [(name: String, rest: String)]) -> String {
    if !isLocked { return statements.map { $0.name + $0.rest }.joined(separator: "\n") }
    return "\(lock).withLock {\n\(statements.map { hidden($0.name) + $0.rest }.joined(separator: "\n"))\n}"
  }
}
