// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HTTPTypes
public import Hummingbird
public import NIOCore
import RIBs
public import RIBsStore

/// An error as problem details (RFC 9457).
public struct Problem: Error, Encodable {
  /// That of problem details.
  public static let mediaType = "application/problem+json"

  /// The kind of problem, which programs can compare.
  public let type: String
  private let title: String
  /// The status of the response.
  public let status: Int
  private let detail: String
  private var errors: [JSONFields.Wrong]?
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
  public init(_ errors: [JSONFields.Wrong]) {
    self.init(.unprocessableContent, "invalid-field", errors.map { "\($0.field): \($0.detail)" }.joined(separator: " "))
    self.errors = errors
  }

  /// A wrong field.
  public static func field(_ field: String, _ detail: String) -> Problem {
    Problem([JSONFields.Wrong(field: field, detail: detail)])
  }

  /// Describes an error. What is unexpected is not shown to clients.
  public init(_ error: any Error) {
    let refusal = CallRefusal(error)
    switch error {
    case let problem as Problem: self = problem
    case is KeyReused: self = .field("Idempotency-Key", "It was used for another request. Use a new one.")
    case FollowerRefusal.full:
      self.init(.serviceUnavailable, "too-many-followers", "Too many clients follow. Try again.", retryAfter: 5)
    case FollowerRefusal.treeFull(let limit):
      self.init(.tooManyRequests, "too-many-followers", "At most \(limit) can follow a tree.", retryAfter: 5)
    case is UnknownToken: self = .unknownCaller
    case JSONFields.Failure.notJSON: self.init(.badRequest, "not-json", "The body is not JSON.")
    case JSONFields.Failure.notAnObject: self.init(.badRequest, "not-an-object", "Send a JSON object.")
    case JSONFields.Failure.wrong(let fields): self.init(fields)
    case let error as any HTTPResponseError: self.init(error.status)
    case _ where refusal?.type == "invalid-id": self.init(.badRequest, "invalid-id", refusal?.detail ?? "")
    case is TreeUnanswered:
      self.init(
        .gatewayTimeout, refusal?.type ?? "timed-out", refusal?.detail ?? Problem.timedOut.detail,
        retryAfter: refusal?.retryAfter)
    default:
      self.init(
        refusal?.retryAfter == nil ? .internalServerError : .serviceUnavailable, refusal?.type ?? "internal",
        refusal?.detail ?? "The server has failed. The request ID is in its log.", retryAfter: refusal?.retryAfter)
    }
    // Of an error of the program the type only: its description may have what a client has sent.
    if status >= 500, cause == nil { cause = refusal?.cause ?? "\(Swift.type(of: error))" }
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
