// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import Hummingbird
public import NIOCore
public import RIBsStore

/// What the server knows of a request besides its text.
public struct ServerContext: RequestContext {
  /// That of the framework.
  public var coreContext: CoreRequestContextStorage
  /// The connection.
  public let channel: any Channel
  /// In the answer and in each line of the log about the request.
  public var requestID = ""
  /// The caller, if `Access.identify` or the process that has forwarded the request knows it.
  public var caller: Caller?
  /// The key of the tree: the parameter `tree` of the path, decoded.
  public var key = ""
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates the context of a request.
  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// A value that the program adds, such as the tenant: a middleware of yours sets it for the routes.
  public subscript<Key: ServerContextKey>(_ key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// Names a value of `ServerContext` that the program adds.
public protocol ServerContextKey {
  /// The type of the value.
  associatedtype Value: Sendable
}

extension HTTPField.Name {
  /// The ID of a request, in requests, responses and the log.
  public static let requestID = named("X-Request-Id")
  /// Says that another process has forwarded the request.
  public static let hops = named("X-Ribs-Hops")
  /// The caller of a forwarded request. Ignored if a client sends it.
  static let hopCaller = named("X-Ribs-Caller")
  /// Names a request, so that it is carried out once.
  public static let idempotencyKey = named("Idempotency-Key")
  /// Tells nginx not to buffer a stream.
  public static let buffering = named("X-Accel-Buffering")

  private static func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is no name of a header.") }
    return name
  }
}

extension String {
  /// Whether the text is short and printable, so that it can be in a log and in a header.
  public var isToken: Bool { (1...100).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7e).contains($0) } }
}
