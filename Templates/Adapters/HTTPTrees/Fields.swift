// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
public import NIOCore

/// The fields of a JSON object whose values are texts. It is checked completely before anything is done.
public struct Fields {
  private var values: [String: String]

  /// - Parameters:
  ///   - body: the object; empty for no fields.
  ///   - known: the names of the fields. Others are refused, because they are probably misspelled.
  /// - Throws: a `Problem` that names each wrong field.
  public init(_ body: ByteBuffer, known: [String]) throws {
    guard body.readableBytes > 0 else {
      values = [:]
      return
    }
    let object: Any
    do {
      object = try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
    } catch {
      throw Problem(.badRequest, "not-json", "The body is not JSON.")
    }
    guard let fields = object as? [String: Any] else {
      throw Problem(.badRequest, "not-an-object", "Send a JSON object.")
    }
    var errors: [Problem.FieldError] = []
    values = [:]
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      if !known.contains(name) {
        errors.append(
          .init(field: String(name.prefix(80)), detail: "It is unknown. Use \(known.joined(separator: ", "))."))
      } else if let text = value as? String {
        values[name] = text
      } else {
        errors.append(.init(field: name, detail: "It must be a text."))
      }
    }
    guard errors.isEmpty else { throw Problem(errors) }
  }

  /// The text of a field; nil if the field is missing.
  public func text(_ name: String) -> String? { values[name] }

  /// The value of a field, which must be one of a few; nil if the field is missing.
  public func value<Value>(_ name: String, _ values: [(String, Value)]) throws -> Value? {
    guard let text = self.values[name] else { return nil }
    guard let value = values.first(where: { $0.0 == text }) else {
      throw Problem.field(name, "Use one of: \(values.map(\.0).joined(separator: ", ")).")
    }
    return value.1
  }
}
