// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HTTPTypes
public import Hummingbird
public import NIOCore
import RIBs
import RIBsStore

/// An error as problem details (RFC 9457).
public struct Problem: Error, Encodable {
  /// A wrong field of a request.
  public struct FieldError: Encodable, Sendable {
    let field: String
    let detail: String

    /// - Parameter detail: what is wrong, as a sentence.
    public init(field: String, detail: String) { (self.field, self.detail) = (field, detail) }
  }

  /// That of problem details.
  public static let mediaType = "application/problem+json"

  /// The kind of problem, which programs can compare.
  public let type: String
  private let title: String
  /// The status of the response.
  public let status: Int
  private let detail: String
  private var errors: [FieldError]?
  /// More for the client, such as the state that the request does not fit: names and values.
  public var details: [String: any Encodable & Sendable] = [:]
  /// Seconds after which a repeat may succeed.
  public var retryAfter: Int?
  /// Why the server could not answer, for its log only: without what clients have sent, and without secrets.
  public var cause: String?
  /// Whether the connection is closed, because the rest of the request is not read.
  public var closesConnection = false

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes what clients get.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(type, forKey: Name(stringValue: "type"))
    try container.encode(title, forKey: Name(stringValue: "title"))
    try container.encode(status, forKey: Name(stringValue: "status"))
    try container.encode(detail, forKey: Name(stringValue: "detail"))
    try container.encodeIfPresent(errors, forKey: Name(stringValue: "errors"))
    for (name, value) in details { try container.encode(value, forKey: Name(stringValue: name)) }
  }

  /// - Parameters:
  ///   - type: the last part of the type.
  ///   - retryAfter: seconds after which a repeat may succeed.
  public init(_ status: HTTPResponse.Status, _ type: String, _ detail: String, retryAfter: Int? = nil) {
    self.type = "urn:problem:\(type)"
    title = status.reasonPhrase
    self.status = status.code
    self.detail = detail
    self.retryAfter = retryAfter
  }

  /// Wrong fields.
  public init(_ errors: [FieldError]) {
    self.init(.unprocessableContent, "invalid-field", errors.map { "\($0.field): \($0.detail)" }.joined(separator: " "))
    self.errors = errors
  }

  /// A wrong field.
  public static func field(_ field: String, _ detail: String) -> Problem {
    Problem([FieldError(field: field, detail: detail)])
  }

  /// Describes an error. What is unexpected is not shown to clients.
  public init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case is KeyReused: self = .field("Idempotency-Key", "It was used for another request. Use a new one.")
    case is TreeElsewhere:
      self.init(
        .serviceUnavailable, "moving", "It is moving between servers. Repeat the request.", retryAfter: 1)
    case is DirectoryFull:
      self.init(.serviceUnavailable, "full", "Too many others are active. Repeat the request later.", retryAfter: 5)
    case is TreeBusy:
      self.init(.serviceUnavailable, "busy", "Too many requests wait for it. Repeat the request later.", retryAfter: 1)
    case is DirectoryEnded:
      self.init(.serviceUnavailable, "stopping", "The server is stopping. Repeat the request.", retryAfter: 1)
    case is LaterSchema:
      self.init(.serviceUnavailable, "later-version", "Another server has a later version. Repeat.", retryAfter: 1)
    case is TreeQuarantined:
      self.init(.internalServerError, "quarantined", "The data can't be used until it is repaired.")
    case is StoreFailure:
      self.init(.serviceUnavailable, "store", "The store does not answer. Repeat the request.", retryAfter: 1)
    // The tree may have ended during the call.
    case is SaveAbandoned, is CancellationError, is TreeEnded, is TreeFailure:
      self.init(
        .serviceUnavailable, "unknown-outcome",
        "The request may have been carried out. Repeat it with the same Idempotency-Key.", retryAfter: 1)
    case let error as any HTTPResponseError: self.init(error.status)
    default: self.init(.internalServerError, "internal", "The server has failed. The request ID is in its log.")
    }
    if status >= 500, cause == nil { cause = Problem.cause(error) }
  }

  /// The description of an error that has no values of the program's state or of a request; the type of any other.
  private static func cause(_ error: any Error) -> String {
    switch error {
    case let error as TreeFailure: "\(error.path) failed: \(Swift.type(of: error.error))"
    case is StoreFailure, is TreeEnded, is DirectoryFull, is DirectoryEnded: "\(error)"
    default: "\(Swift.type(of: error))"
    }
  }

  /// An error of the framework, such as that of an unknown path.
  public init(_ status: HTTPResponse.Status) {
    self.init(status, "http-\(status.code)", "\(status.reasonPhrase).")
    // The rest of the body is not read.
    closesConnection = status == .contentTooLarge
  }

  /// The response.
  ///
  /// - Parameter channel: that of the request, which is closed if the problem says so.
  public func response(closing channel: any Channel) -> Response {
    var headers: HTTPFields = [.contentType: Problem.mediaType, .cacheControl: "no-store"]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if status == 401 { headers[.wwwAuthenticate] = "Bearer" }
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

/// JSON of values.
public enum JSON {
  /// Sorted, so that equal values are equal texts. Dates are ISO 8601 in UTC, to the microsecond.
  public static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(WallTime(date).description)
    }
    return try encoder.encode(value)
  }

  /// A response with a value.
  public static func response(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encode(value))))
  }
}
