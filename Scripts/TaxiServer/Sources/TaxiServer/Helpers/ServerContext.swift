import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What the server knows of a request besides its text.
package struct ServerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// In the answer and in each line of the log about the request.
  var requestID = ""

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension HTTPField.Name {
  static let requestID = named("X-Request-Id")
  static let hops = named("X-Ribs-Hops")
  static let idempotencyKey = named("Idempotency-Key")
  static let buffering = named("X-Accel-Buffering")

  private static func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is no name of a header.") }
    return name
  }
}

extension String {
  /// Whether the text is short and printable, so that it can be in a log and in a header.
  var isToken: Bool { (1...100).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7e).contains($0) } }
}
