// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import RIBs

/// The fields of a JSON object from outside: texts, numbers, dates and truth values.
///
/// The object is checked completely before anything is done, so that a client gets all errors at once.
///
/// ```swift
/// let body = #"{"amount": 7, "note": "a gift"}"#
/// let fields = try JSONFields(
///   body.utf8, ["amount": .integer(1...1_000_000), "note": .text, "ends": .date], required: ["amount"])
/// print(fields.integer("amount") ?? 0, fields.text("note") ?? "")
/// ```
public struct JSONFields: Sendable {
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

  /// A field whose value is wrong, missing or unknown.
  public struct Wrong: Hashable, Encodable, Sendable {
    /// The name.
    public let field: String
    /// What is wrong, as a sentence.
    public let detail: String

    /// Creates an error of a field.
    public init(field: String, detail: String) { (self.field, self.detail) = (field, detail) }
  }

  /// Why an object can't be used.
  public enum Failure: Error, Hashable {
    /// The bytes are not JSON.
    case notJSON
    /// The bytes are JSON, and no object.
    case notAnObject
    /// All fields that are wrong.
    case wrong([Wrong])
  }

  fileprivate enum Value: Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case date(Date)
    /// An array or an object.
    case other
  }

  private var values: [String: Value] = [:]

  /// Reads an object.
  ///
  /// - Parameters:
  ///   - json: the object; empty for no fields. A field with `null` is missing.
  ///   - kinds: the names of the fields. Others are refused, because they are probably misspelled.
  ///   - required: the fields that must not be missing.
  /// - Throws: a `Failure` that names each wrong field.
  public init(
    _ json: some Collection<UInt8>, _ kinds: [String: Kind], required: Set<String> = []
  ) throws(Failure) {
    var errors: [Wrong] = []
    for (name, value) in try JSONFields.object(in: json).sorted(by: { $0.key < $1.key }) {
      guard let kind = kinds[name] else {
        let names = kinds.keys.sorted().joined(separator: ", ")
        errors.append(Wrong(field: String(name.prefix(80)), detail: "It is unknown. Use \(names)."))
        continue
      }
      if let value = kind.checked(value) {
        values[name] = value
      } else {
        errors.append(Wrong(field: name, detail: kind.advice))
      }
    }
    let wrong = Set(errors.map(\.field))
    for name in required.sorted() where values[name] == nil && !wrong.contains(name) {
      errors.append(Wrong(field: name, detail: "It is missing."))
    }
    guard errors.isEmpty else { throw .wrong(errors) }
  }

  /// Reads an object whose fields are texts.
  public init(_ json: some Collection<UInt8>, known: [String]) throws(Failure) {
    try self.init(json, Dictionary(known.map { ($0, .text) }) { first, _ in first })
  }

  private static func object(in json: some Collection<UInt8>) throws(Failure) -> [String: Value] {
    guard !json.isEmpty else { return [:] }
    do {
      return try JSONDecoder().decode([String: Value?].self, from: Data(json)).compactMapValues { $0 }
    } catch DecodingError.typeMismatch {
      throw .notAnObject
    } catch {
      throw .notJSON
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
  ///
  /// - Throws: a `Failure` that names the values.
  public func value<Value>(_ name: String, _ values: [(String, Value)]) throws(Failure) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = values.first(where: { $0.0 == text }) else {
      throw .wrong([Wrong(field: name, detail: "Use one of: \(values.map(\.0).joined(separator: ", ")).")])
    }
    return value.1
  }
}

extension JSONFields.Value: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func decoded<Value: Decodable>(as type: Value.Type) -> Value? { try? container.decode(type) }
    self =
      decoded(as: Bool.self).map { .flag($0) } ?? decoded(as: Int.self).map { .integer($0) }
      ?? decoded(as: Double.self).map { .number($0) } ?? decoded(as: String.self).map { .text($0) } ?? .other
  }
}

extension JSONFields.Kind {
  /// - Returns: nil if the value is not of this kind.
  fileprivate func checked(_ value: JSONFields.Value) -> JSONFields.Value? {
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
