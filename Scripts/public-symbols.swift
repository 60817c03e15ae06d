// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Lists the public declarations of a module, one per line, from its symbol graphs: its own, and those of the modules whose
// types it extends, such as RIBsStore@RIBs.symbols.json.
//
//   swift Scripts/public-symbols.swift RIBs*.symbols.json                  all declarations
//   swift Scripts/public-symbols.swift RIBs*.symbols.json --undocumented   symbols without documentation
//   swift Scripts/public-symbols.swift page.json --unsorted                symbols that no topic of a DocC page lists
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Fragment: Decodable { let spelling: String }
    struct Documentation: Decodable { let module: String? }

    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let accessLevel: String
    let declarationFragments: [Fragment]
    let docComment: Documentation?
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

/// A page in DocC's output format.
struct Page: Decodable {
  struct TopicSection: Decodable {
    let identifiers: [String]
    let generated: Bool?
  }

  let topicSections: [TopicSection]?
}

let arguments = CommandLine.arguments.dropFirst()
let contents = arguments.filter { !$0.hasPrefix("--") }.map { FileManager.default.contents(atPath: $0) }
guard let data = contents.first ?? nil, !contents.contains(nil) else {
  FileHandle.standardError.write(Data("public-symbols: give the symbol graphs of a module\n".utf8))
  exit(64)
}
if arguments.contains("--unsorted") {
  // DocC groups symbols by kind if no topic lists them.
  let groups = try JSONDecoder().decode(Page.self, from: data).topicSections ?? []
  for name in groups.filter({ $0.generated == true }).flatMap(\.identifiers) {
    print(name.split(separator: "/").dropFirst(3).joined(separator: "/"))
  }
  exit(0)
}
let graphs = try contents.compactMap { $0 }.map { try JSONDecoder().decode(SymbolGraph.self, from: $0) }
// An extension itself is no declaration; its members are.
let symbols = graphs.flatMap(\.symbols).filter { $0.kind.identifier != "swift.extension" }
let relationships = graphs.flatMap(\.relationships)
let names = Dictionary(
  symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
  uniquingKeysWith: { one, _ in one })

if arguments.contains("--undocumented") {
  // Overrides and conformances are documented at the original declaration.
  let inherited = Set(
    relationships.filter { ["overrides", "defaultImplementationOf"].contains($0.kind) }.map(\.source))
  for symbol in symbols where symbol.docComment == nil && !inherited.contains(symbol.identifier.precise) {
    print(symbol.pathComponents.joined(separator: "."))
  }
  exit(0)
}

// Conformances that the compiler adds implicitly.
let implied: Set = ["Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable"]
var conformances: [String: Set<String>] = [:]
for relationship in relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
  let target = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
  if !implied.contains(target) { conformances[relationship.source, default: []].insert(target) }
}

var lines: Set<String> = []
for symbol in symbols {
  let name = symbol.pathComponents.joined(separator: ".")
  let declaration = symbol.declarationFragments.map(\.spelling).joined()
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  lines.insert("\(name): \(symbol.accessLevel) \(declaration)")
  for conformance in conformances[symbol.identifier.precise] ?? [] { lines.insert("\(name) is a \(conformance)") }
}
for line in lines.sorted() { print(line) }
