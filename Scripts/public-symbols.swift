// Lists what a module promises to those who use it, a declaration a line, from the symbol graph of the module.
//
//   swift Scripts/public-symbols.swift RIBs.symbols.json                  the list
//   swift Scripts/public-symbols.swift RIBs.symbols.json --undocumented   what has no documentation of its own
//   swift Scripts/public-symbols.swift page.json --unsorted               what no topic of a page of docc's names
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }
    struct Documentation: Decodable { let module: String? }

    let identifier: Identifier
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

/// A page as docc writes it.
struct Page: Decodable {
  struct TopicSection: Decodable {
    let identifiers: [String]
    let generated: Bool?
  }

  let topicSections: [TopicSection]?
}

let arguments = CommandLine.arguments.dropFirst()
guard let file = arguments.first, let data = FileManager.default.contents(atPath: file) else {
  FileHandle.standardError.write(Data("public-symbols: give the symbol graph of a module\n".utf8))
  exit(64)
}
if arguments.contains("--unsorted") {
  // What no topic names is sorted into groups by its kind.
  let groups = try JSONDecoder().decode(Page.self, from: data).topicSections ?? []
  for name in groups.filter({ $0.generated == true }).flatMap(\.identifiers) {
    print(name.split(separator: "/").dropFirst(3).joined(separator: "/"))
  }
  exit(0)
}
let graph = try JSONDecoder().decode(SymbolGraph.self, from: data)
let names = Dictionary(
  graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
  uniquingKeysWith: { one, _ in one })

if arguments.contains("--undocumented") {
  // What an override or a conformance does is said where it is declared first.
  let inherited = Set(
    graph.relationships.filter { ["overrides", "defaultImplementationOf"].contains($0.kind) }.map(\.source))
  for symbol in graph.symbols where symbol.docComment == nil && !inherited.contains(symbol.identifier.precise) {
    print(symbol.pathComponents.joined(separator: "."))
  }
  exit(0)
}

// Every type that can be sent is also this, in a way of speaking of the compiler's.
let implied: Set = ["Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable"]
var conformances: [String: Set<String>] = [:]
for relationship in graph.relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
  let target = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
  if !implied.contains(target) { conformances[relationship.source, default: []].insert(target) }
}

var lines: Set<String> = []
for symbol in graph.symbols {
  let name = symbol.pathComponents.joined(separator: ".")
  let declaration = symbol.declarationFragments.map(\.spelling).joined()
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  lines.insert("\(name): \(symbol.accessLevel) \(declaration)")
  for conformance in conformances[symbol.identifier.precise] ?? [] { lines.insert("\(name) is a \(conformance)") }
}
for line in lines.sorted() { print(line) }
