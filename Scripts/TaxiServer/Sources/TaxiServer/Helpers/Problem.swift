import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import RIBsStore

/// An error as problem details (RFC 9457).
struct Problem: Error, Encodable {
  /// A wrong field of a request.
  struct FieldError: Encodable {
    let field: String
    let detail: String
  }

  static let mediaType = "application/problem+json"

  /// The kind of problem, which programs can compare.
  let type: String
  let title: String
  let status: Int
  var detail: String
  var errors: [FieldError]?
  /// What the rider sees now, if the request does not fit.
  var rider: RiderView?
  /// Seconds after which a repeat may succeed.
  var retryAfter: Int?
  /// Whether the connection is closed, because the rest of the request is not read.
  var closesConnection = false

  private enum CodingKeys: String, CodingKey { case type, title, status, detail, errors, rider }

  init(_ status: HTTPResponse.Status, _ type: String, _ detail: String, retryAfter: Int? = nil) {
    self.type = "urn:taxi:\(type)"
    title = status.reasonPhrase
    self.status = status.code
    self.detail = detail
    self.retryAfter = retryAfter
  }

  /// Wrong fields.
  init(_ errors: [FieldError]) {
    self.init(.unprocessableContent, "invalid-field", errors.map { "\($0.field): \($0.detail)" }.joined(separator: " "))
    self.errors = errors
  }

  /// A wrong field.
  static func field(_ field: String, _ detail: String) -> Problem {
    Problem([FieldError(field: field, detail: detail)])
  }

  /// Describes an error. What is unexpected is not shown to clients.
  init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let refusal as Refusal:
      self.init(
        .conflict, "not-possible", "You can't \(refusal.request.verb) while the order is \(refusal.rider.status).")
      rider = refusal.rider
    case is KeyReused: self = .field("Idempotency-Key", "It was used for another request. Use a new one.")
    case is TreeElsewhere:
      self.init(
        .serviceUnavailable, "moving", "The rider is moving between servers. Repeat the request.", retryAfter: 1)
    case is DirectoryFull:
      self.init(.serviceUnavailable, "full", "Too many riders are here. Repeat the request later.", retryAfter: 5)
    case is DirectoryEnded:
      self.init(.serviceUnavailable, "stopping", "The server is stopping. Repeat the request.", retryAfter: 1)
    case is LaterSchema:
      self.init(.serviceUnavailable, "later-version", "Another server has a later version. Repeat.", retryAfter: 1)
    case is TreeQuarantined:
      self.init(.internalServerError, "quarantined", "The rider's data can't be used until it is repaired.")
    case is SaveAbandoned, is CancellationError:
      self.init(
        .serviceUnavailable, "unknown-outcome",
        "The request may have been carried out. Repeat it with the same Idempotency-Key.", retryAfter: 1)
    case let error as any HTTPResponseError: self.init(error.status)
    default: self.init(.internalServerError, "internal", "The server has failed. The request ID is in its log.")
    }
  }

  /// An error of the framework, such as that of an unknown path.
  init(_ status: HTTPResponse.Status) {
    self.init(status, "http-\(status.code)", "\(status.reasonPhrase).")
    // The rest of the body is not read.
    closesConnection = status == .contentTooLarge
  }

  func response(closing channel: any Channel) -> Response {
    var headers: HTTPFields = [.contentType: Problem.mediaType, .cacheControl: "no-store"]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if closesConnection { headers[.connection] = "close" }
    let bytes = ByteBuffer(bytes: (try? JSON.encode(self)) ?? Data())
    let status = HTTPResponse.Status(code: status)
    guard closesConnection else {
      return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
    headers[.contentLength] = "\(bytes.readableBytes)"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(contentLength: bytes.readableBytes) { writer in
        try await writer.write(bytes)
        try await writer.finish(nil)
        channel.close(promise: nil)
      })
  }
}

enum JSON {
  /// Sorted, so that equal values are equal texts.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  static func response(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encode(value))))
  }
}
