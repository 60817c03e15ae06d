public import RIBs

/// A form that a tree can be written in.
public enum TreeFormat: String, Sendable, Hashable, CaseIterable {
  /// Lines with branches in front, for a terminal or a log. See `TreeSnapshot.text(_:depth:)`.
  case text
  /// The snapshot as a program reads it back. See `TreeSnapshot.json(depth:)`.
  case json
  /// A nested list. See `TreeSnapshot.markdown(depth:)`.
  case markdown
  /// A flowchart for Mermaid. See `TreeSnapshot.mermaid(depth:)`.
  case mermaid
  /// A graph for Graphviz. See `TreeSnapshot.dot(depth:)`.
  case dot
  /// A page on which the tree can be searched, filtered and unfolded. See `TreeSnapshot.html(title:depth:)`.
  case html

  /// The usual ending of a file's name, without the dot.
  public var fileExtension: String {
    switch self {
    case .text: "txt"
    case .json: "json"
    case .markdown: "md"
    case .mermaid: "mmd"
    case .dot: "dot"
    case .html: "html"
    }
  }
}

extension TreeSnapshot {
  /// The tree in a form of choice.
  ///
  /// - Parameters:
  ///   - format: the form.
  ///   - depth: how many levels below the root are written; all if nil. Every form but JSON says how many RIBs were left
  ///     out below a RIB.
  /// - Returns: the text, with a newline at its end.
  /// - Complexity: linear in the number of RIBs.
  public func rendered(as format: TreeFormat, depth: Int? = nil) -> String {
    switch format {
    case .text: text(depth: depth)
    case .json: json(depth: depth)
    case .markdown: markdown(depth: depth)
    case .mermaid: mermaid(depth: depth)
    case .dot: dot(depth: depth)
    case .html: html(depth: depth)
    }
  }
}
