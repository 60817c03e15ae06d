// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
import RIBsStore

/// `ribs saved`.
struct SavedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "saved",
    abstract: "Print a saved tree.",
    discussion: """
      Reads a document that 'SavedTree.encoded(by:)' has written. As text, prints the RIBs as a tree, each with the \
      container that holds it, its version unless that is 1, and its state. As JSON, prints one object for each RIB, on \
      a line of its own, with its path and the routes of its containers. It also reads the files of a 'FileStore', which \
      have a line about the record before the document, and '-' for standard input. If the record says when the tree \
      wakes, the first line does; in JSON, the object of the root has 'wakes'.

      Examples:
        ribs saved order.json
        ribs saved order.json --ascii
        ribs saved orders/order/asleep/17.json
        ribs saved order.json --format json | jq 'select(.rib == "Order").state'

      Exit status: 0 success; 65 the file is not a saved tree; 66 no such file.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Argument(help: "The document; '-' for standard input.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = Format.text

  @Flag(help: "With --format text, use only ASCII characters.")
  var ascii = false

  func validate() throws {
    if ascii && format != .text { throw ValidationError("--ascii needs --format text.") }
  }

  func run() throws {
    let content =
      file == "-"
      ? try? FileHandle.standardInput.readToEnd() ?? Data()
      : try? Data(contentsOf: URL(filePath: file, relativeTo: LiveTool.folder))
    guard let content else { throw Failure.missing("there is no file '\(file)', or it can't be read") }
    let (data, wakes) = SavedDocument.withoutHeader(content)
    let document: SavedDocument
    do { document = try SavedDocument(data, wakes: wakes) } catch {
      throw Failure.malformed("'\(file)' is not a saved tree: \(error)")
    }
    try StandardOutput.write(format == .text ? document.text(ascii: ascii) : document.json())
  }
}

/// A saved tree as it is written.
struct SavedDocument {
  private struct Record {
    let name: String
    let parent: Int?
    let at: String?
    let index: Int
    let version: Int
    /// Nil for a RIB that saves no state.
    let state: Any?
    let routes: [String: Any]
  }

  private let records: [Record]
  private let wakes: WallTime?

  /// - Parameter wakes: when the tree wakes; nil if its record does not say so.
  /// - Throws: `SavedTree.RestoreError` if the document is malformed.
  init(_ data: Data, wakes: WallTime?) throws {
    self.wakes = wakes
    // Checks the structure, without recursion.
    _ = try SavedTree(Array(data))
    guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let ribs = root["ribs"] as? [[String: Any]]
    else { throw CocoaError(.fileReadCorruptFile) }
    records = ribs.map { rib in
      Record(
        name: rib["rib"] as? String ?? "", parent: rib["in"] as? Int, at: rib["at"] as? String,
        index: rib["index"] as? Int ?? 0, version: rib["v"] as? Int ?? 0, state: rib["state"],
        routes: rib["children"] as? [String: Any] ?? [:])
    }
  }

  /// The document in a file of a `FileStore`, after the line about the record, and when the tree wakes; other data as it is.
  static func withoutHeader(_ data: Data) -> (document: Data, wakes: WallTime?) {
    guard let end = data.firstIndex(of: UInt8(ascii: "\n")),
      let header = try? JSONSerialization.jsonObject(with: data[..<end]) as? [String: Any], header["store"] is Int
    else { return (data, nil) }
    let wakes = (header["wakes"] as? Int64).map { WallTime(microsecondsSince1970: $0) }
    return (Data(data[(end + 1)...]), wakes)
  }

  /// The children of each record, in order.
  private var children: [[Int]] {
    var children = [[Int]](repeating: [], count: records.count)
    for (index, record) in records.enumerated() { if let parent = record.parent { children[parent].append(index) } }
    return children
  }

  func text(ascii: Bool) -> String {
    let (fork, corner, bar) = ascii ? ("+- ", "`- ", "|  ") : ("├─ ", "└─ ", "│  ")
    let children = children
    var rows: [(outline: String, place: String, state: String)] = []
    var open: [(record: Int, prefix: String, branch: String)] = records.isEmpty ? [] : [(0, "", "")]
    while let (index, prefix, branch) = open.popLast() {
      let record = records[index]
      let place = record.at.map { "at \($0)" + (record.index > 0 ? " \(record.index)" : "") } ?? ""
      let version = record.version > 1 ? "v\(record.version) " : ""
      rows.append((prefix + branch + record.name, place, version + (record.state.map(SavedDocument.json) ?? "")))
      let below = branch.isEmpty ? "" : prefix + (branch == corner ? "   " : bar)
      for (position, child) in children[index].enumerated().reversed() {
        open.append((child, below, position == children[index].count - 1 ? corner : fork))
      }
    }
    let outline = rows.map(\.outline.count).max() ?? 0
    let place = rows.map(\.place.count).max() ?? 0
    return (wakes.map { "wakes \($0)\n" } ?? "")
      + rows.map { row in
        let cells = [row.outline.padded(to: outline), row.place.padded(to: place), row.state]
        let line = cells.filter { !$0.isEmpty }.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
      }.joined()
  }

  func json() -> String {
    var paths: [String] = []
    return records.map { record in
      let path = (record.parent.map { paths[$0] + "/" } ?? "") + record.name
      paths.append(path)
      var object: [String: Any] = ["rib": record.name, "path": path]
      if let at = record.at { (object["at"], object["index"]) = (at, record.index) }
      if let state = record.state { (object["state"], object["version"]) = (state, record.version) }
      if !record.routes.isEmpty { object["routes"] = record.routes }
      if record.parent == nil, let wakes { object["wakes"] = wakes.description }
      return SavedDocument.json(object) + "\n"
    }.joined()
  }

  /// A value on one line.
  private static func json(_ value: Any) -> String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
    let data = try? JSONSerialization.data(withJSONObject: value, options: options)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
