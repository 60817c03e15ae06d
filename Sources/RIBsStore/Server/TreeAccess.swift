// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The user or program that sends a request.
public struct Caller: Hashable, Codable, Sendable {
  /// Unique among all callers.
  public let id: String
  /// What the caller is, beside a caller, such as `dispatcher`.
  public let roles: Set<String>

  /// Creates a caller.
  public init(id: String, roles: Set<String> = []) { (self.id, self.roles) = (id, roles) }
}

/// What a request does to a tree.
public enum TreeAction: Sendable {
  /// Reads it; over HTTP, GET and HEAD.
  case read
  /// Changes it; over HTTP, all other methods, and DELETE of something inside a tree.
  case change
  /// Deletes the whole tree; over HTTP, DELETE of a path that ends with its key.
  case delete
  /// What operators do, such as to end a tree.
  case administer
}

/// A request of a caller to a tree, about which a `TreeAccess` decides.
public struct TreeRequest: Sendable {
  /// Nil if the caller is unknown.
  public let caller: Caller?
  /// What it does.
  public let action: TreeAction
  /// The route, such as `/riders/{tree}/order`.
  public let route: String
  /// The key of the tree, decoded; empty if the path has none.
  public let key: String

  /// Creates a request, for a server or for tests of a rule.
  public init(caller: Caller?, action: TreeAction, route: String, key: String) {
    (self.caller, self.action, self.route, self.key) = (caller, action, route, key)
  }
}

/// Who sends a request, and what each caller may do to which tree: the only place of a server that decides about either.
///
/// An action without a rule is refused. `Request` and `Context` are those of the library that the server uses.
///
/// ```swift
/// let access = TreeAccess<String, Void>(
///   identify: { request, _ in Caller(id: request) },
///   read: { request in request.caller != nil },
///   change: { request in request.caller?.id == request.key })
/// let change = TreeRequest(caller: Caller(id: "anna"), action: .change, route: "/riders/{tree}", key: "bob")
/// print(access.allows(change))
/// ```
public struct TreeAccess<Request, Context>: Sendable {
  /// Decides about a request. Called before anything waits, for each request, on any thread.
  public typealias Rule = @Sendable (TreeRequest) -> Bool

  /// Allows everything, also for unknown callers.
  public static var anyone: Rule { { _ in true } }
  /// Refuses everything.
  public static var refused: Rule { { _ in false } }

  /// Finds the caller of a request.
  public let identify: @Sendable (Request, Context) async throws -> Caller?
  private let (read, change, delete, administer): (Rule, Rule, Rule, Rule)

  /// Creates a decision. By default it refuses everything.
  ///
  /// - Parameters:
  ///   - identify: finds the caller of a request: nil if it is unknown. It throws an error to refuse the request. Not
  ///     called for a request that another process has forwarded, which names the caller.
  ///   - read: decides about requests that read.
  ///   - change: decides about requests that change a tree.
  ///   - delete: decides about requests that delete a tree.
  ///   - administer: decides about requests of operators.
  public init(
    identify: @escaping @Sendable (Request, Context) async throws -> Caller? = { _, _ in nil },
    read: @escaping Rule = TreeAccess.refused, change: @escaping Rule = TreeAccess.refused,
    delete: @escaping Rule = TreeAccess.refused, administer: @escaping Rule = TreeAccess.refused
  ) {
    self.identify = identify
    (self.read, self.change, self.delete, self.administer) = (read, change, delete, administer)
  }

  /// Whether a request is allowed.
  public func allows(_ request: TreeRequest) -> Bool {
    switch request.action {
    case .read: read(request)
    case .change: change(request)
    case .delete: delete(request)
    case .administer: administer(request)
    }
  }
}
