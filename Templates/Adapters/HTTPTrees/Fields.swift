// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HTTPTypes
public import NIOCore
import RIBs
import RIBsStore

/// The fields of a JSON object: texts, numbers, dates and truth values. It is checked completely before anything is done.
///
/// ```swift
/// let fields = try Fields(body, ["amount": .integer(1...1_000_000), "note": .text, "ends": .date], required: ["amount"])
/// let bid = Bid(amount: fields.integer("amount") ?? 0, note: fields.text("note"))
/// ```
public struct Fields {
  /// What the value of a field must be.
  public enum Kind: Sendable {
    /// A text.
    case text
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// `true` or `false`.
    case flag
    /// A date as ISO 8601 with a time zone, such as `2026-01-01T08:30:00Z`.
    case date
  }

  fileprivate enum Value {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case date(Date)
    /// An array or an object.
    case other
  }

  private var values: [String: Value] = [:]

  /// - Parameters:
  ///   - body: the object; empty for no fields. A field with `null` is missing.
  ///   - kinds: the names of the fields. Others are refused, because they are probably misspelled.
  ///   - required: the fields that must not be missing.
  /// - Throws: a `Problem` that names each wrong field.
  public init(_ body: ByteBuffer, _ kinds: [String: Kind], required: Set<String> = []) throws {
    var errors: [Problem.FieldError] = []
    for (name, value) in try Fields.object(in: body).sorted(by: { $0.key < $1.key }) {
      guard let kind = kinds[name] else {
        let names = kinds.keys.sorted().joined(separator: ", ")
        errors.append(.init(field: String(name.prefix(80)), detail: "It is unknown. Use \(names)."))
        continue
      }
      if let value = kind.checked(value) {
        values[name] = value
      } else {
        errors.append(.init(field: name, detail: kind.advice))
      }
    }
    let wrong = Set(errors.map(\.field))
    for name in required.sorted() where values[name] == nil && !wrong.contains(name) {
      errors.append(.init(field: name, detail: "It is missing."))
    }
    guard errors.isEmpty else { throw Problem(errors) }
  }

  /// Fields whose values are texts.
  public init(_ body: ByteBuffer, known: [String]) throws {
    try self.init(body, Dictionary(known.map { ($0, .text) }) { first, _ in first })
  }

  private static func object(in body: ByteBuffer) throws -> [String: Value] {
    guard body.readableBytes > 0 else { return [:] }
    do {
      return try JSONDecoder().decode([String: Value?].self, from: Data(body.readableBytesView)).compactMapValues { $0 }
    } catch DecodingError.typeMismatch {
      throw Problem(.badRequest, "not-an-object", "Send a JSON object.")
    } catch {
      throw Problem(.badRequest, "not-json", "The body is not JSON.")
    }
  }

  /// The text of a field; nil if the field is missing.
  public func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }

  /// The whole number of a field; nil if the field is missing.
  public func integer(_ name: String) -> Int? { if case .integer(let number)? = values[name] { number } else { nil } }

  /// The number of a field; nil if the field is missing.
  public func number(_ name: String) -> Double? { if case .number(let number)? = values[name] { number } else { nil } }

  /// Whether a field is true; nil if it is missing.
  public func flag(_ name: String) -> Bool? { if case .flag(let flag)? = values[name] { flag } else { nil } }

  /// The date of a field; nil if the field is missing.
  public func date(_ name: String) -> Date? { if case .date(let date)? = values[name] { date } else { nil } }

  /// The value of a field, which must be one of a few; nil if the field is missing.
  public func value<Value>(_ name: String, _ values: [(String, Value)]) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = values.first(where: { $0.0 == text }) else {
      throw Problem.field(name, "Use one of: \(values.map(\.0).joined(separator: ", ")).")
    }
    return value.1
  }
}

extension Fields.Value: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func decoded<Value: Decodable>(as type: Value.Type) -> Value? { try? container.decode(type) }
    self =
      decoded(as: Bool.self).map { .flag($0) } ?? decoded(as: Int.self).map { .integer($0) }
      ?? decoded(as: Double.self).map { .number($0) } ?? decoded(as: String.self).map { .text($0) } ?? .other
  }
}

extension Fields.Kind {
  /// - Returns: nil if the value is not of this kind.
  fileprivate func checked(_ value: Fields.Value) -> Fields.Value? {
    switch (self, value) {
    case (.text, .text), (.flag, .flag): value
    case (.integer(let range), .integer(let number)): range.contains(number) ? value : nil
    case (.number(let range), .number(let number)): range.contains(number) ? value : nil
    case (.number(let range), .integer(let number)): range.contains(Double(number)) ? .number(Double(number)) : nil
    case (.date, .text(let text)): WallTime(text).map { .date(Date($0)) }
    default: nil
    }
  }

  fileprivate var advice: String {
    switch self {
    case .text: "It must be a text."
    case .flag: "It must be true or false."
    case .date: "It must be a date such as 2026-01-01T08:30:00Z."
    case .integer(let range): "It must be a whole number from \(range.lowerBound) to \(range.upperBound)."
    case .number(let range): "It must be a number from \(range.lowerBound) to \(range.upperBound)."
    }
  }
}
