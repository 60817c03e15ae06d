// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Logging
import Synchronization

/// A log handler that writes each message as a JSON object on a line of its own, for programs that collect logs.
///
/// ```
/// {"label":"orders","level":"info","message":"answered","metadata":{"status":"200"},"source":"HTTPTrees","time":"…"}
/// ```
///
/// The time is in UTC, in ISO 8601. Values of the metadata are texts, or arrays and objects of them.
public struct JSONLogHandler: LogHandler {
  private let label: String
  private let write: @Sendable (String) -> Void
  public var logLevel = Logger.Level.info
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?

  /// - Parameters:
  ///   - label: that of the logger.
  ///   - write: called with each line, which has no line break, on the thread that logs.
  public init(label: String, write: @escaping @Sendable (String) -> Void) {
    (self.label, self.write) = (label, write)
    metadataProvider = LoggingSystem.metadataProvider
  }

  /// Creates a handler that writes to standard error.
  public static func standardError(label: String) -> JSONLogHandler {
    JSONLogHandler(label: label) { line in
      // Locked, because a long line is more than one write.
      errors.withLock { _ in try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8)) }
    }
  }

  private static let errors = Mutex(())

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var metadata = metadata
    for more in [metadataProvider?.get(), event.metadata] { metadata.merge(more ?? [:]) { $1 } }
    if let error = event.error { metadata["error"] = "\(error)" }
    let line = Line(
      time: Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), level: event.level,
      label: label, source: event.source, message: "\(event.message)", metadata: metadata.mapValues(Value.init))
    // Text can always be encoded.
    if let data = try? JSON.encode(line) { write(String(decoding: data, as: UTF8.self)) }
  }
}

private struct Line: Encodable {
  let time: String
  let level: Logger.Level
  let label: String
  let source: String
  let message: String
  let metadata: [String: Value]
}

/// A value of the metadata.
private struct Value: Encodable {
  let value: Logger.Metadata.Value

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .string(let text): try text.encode(to: encoder)
    case .stringConvertible(let value): try value.description.encode(to: encoder)
    case .array(let values): try values.map(Value.init).encode(to: encoder)
    case .dictionary(let values): try values.mapValues(Value.init).encode(to: encoder)
    }
  }
}
