/// A form that a selection can be written in.
package enum SourceTreeFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json
  case mermaid
  case plantuml
  case dot
  case html

  /// The form that a file is in, by the ending of its name.
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
  /// The selection in a form, with a newline at its end.
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
