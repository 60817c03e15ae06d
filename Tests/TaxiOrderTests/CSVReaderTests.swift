// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiSimulation

@Suite("A reader of comma-separated values")
struct CSVReaderTests {
  private func records(_ source: some ByteSource, limit: Int = CSVReader.longestRecord) throws -> [[String]] {
    var reader = CSVReader(source, limit: limit)
    var record = CSVRecord()
    var records: [[String]] = []
    while try reader.read(into: &record) { records.append((0..<record.count).map { record.text($0) }) }
    return records
  }

  @Test(
    "reads fields by RFC 4180, whatever the size of the chunks",
    arguments: [
      ("", []),
      ("a,b", [["a", "b"]]),
      ("a,b\n", [["a", "b"]]),
      ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("\u{FEFF}a,b\n", [["a", "b"]]),
      ("\u{FEFF}\"a\",b\n", [["a", "b"]]),
      (",\n,", [["", ""], ["", ""]]),
      ("\"a,b\",\"c\nd\",\"e\r\nf\"\n", [["a,b", "c\nd", "e\r\nf"]]),
      ("\"\"\"a\"\"\",\"\"\n", [["\"a\"", ""]]),
      ("a\n\nb\n\n\n", [["a"], [""], ["b"], [""], [""]]),
      ("a\rb\r\nc\r", [["a\rb"], ["c\r"]]),
      ("é,\u{1F695}", [["é", "\u{1F695}"]]),
      ("\u{FEFF}", []),
    ] as [(String, [[String]])], [1, 2, 3, 65536])
  func reading(file: (text: String, records: [[String]]), size: Int) throws {
    #expect(try records(TextSource(file.text, size: size)) == file.records)
  }

  @Test(
    "reports syntax errors with their field",
    arguments: [
      ("a,b\"c", CSVRecord.Problem.quoteInsideField, 1), ("\"a\"b,c", .textAfterQuote, 0),
      ("a,b,\"c\n", .unclosedQuote, 2), ("a,bbbbbbbbbb", .tooLong, 1), (",,,,,,,,,", .tooLong, 8),
    ])
  func problems(text: String, problem: CSVRecord.Problem, field: Int) throws {
    var reader = CSVReader(TextSource(text), limit: 8)
    var record = CSVRecord()
    #expect(try reader.read(into: &record))
    #expect((record.problem?.kind, record.problem?.field) == (problem, field))
  }

  @Test("discards the rest of a record that is too long, and continues with the next one")
  func limit() throws {
    let text = "\"" + String(repeating: "x\n", count: 5000) + "\",b\nc,d\n"
    #expect(try records(TextSource(text, size: 100), limit: 4) == [["x\nx\n"], ["c", "d"]])
    #expect(
      try records(TextSource(",,,,,,,,\na,,,,\nc,d\n"), limit: 4) == [
        Array(repeating: "", count: 5), ["a", "", "", ""], ["c", "d"],
      ])
  }

  @Test("reports the line on which each record starts")
  func lines() throws {
    var reader = CSVReader(TextSource("a\n\"b\n\nc\"\r\nd\n\ne"))
    var record = CSVRecord()
    var lines: [Int] = []
    while try reader.read(into: &record) { lines.append(record.line) }
    #expect(lines == [1, 2, 5, 6, 7])
  }
}
