// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An output format for a selection.
package enum SourceTreeFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json
  case mermaid
  case plantuml
  case dot
  case html

  /// The format of a file, by its extension.
  package init(ofFile name: String) {
    switch name.split(separator: ".").last.map({ $0.lowercased() }) {
    case "md", "markdown": self = .markdown
    case "json": self = .json
    case "mmd", "mermaid": self = .mermaid
    case "puml", "plantuml", "pu": self = .plantuml
    case "dot", "gv": self = .dot
    case "html", "htm": self = .html
    default: self = .text
    }
  }
}

extension Selection {
  /// The selection in a format, with a trailing newline.
  package func rendered(as format: SourceTreeFormat) throws -> String {
    switch format {
    case .text: text()
    case .markdown: markdown()
    case .json: try json()
    case .mermaid: mermaid()
    case .plantuml: plantUML()
    case .dot: dot()
    case .html: html()
    }
  }
}
