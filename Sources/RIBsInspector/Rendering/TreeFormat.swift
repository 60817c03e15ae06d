// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// An output format for a tree.
public enum TreeFormat: String, Sendable, Hashable, CaseIterable {
  /// Lines with drawn branches, for a terminal or a log. See `TreeSnapshot.text(_:depth:)`.
  case text
  /// The snapshot as JSON, readable by programs. See `TreeSnapshot.json(depth:)`.
  case json
  /// A nested list. See `TreeSnapshot.markdown(depth:)`.
  case markdown
  /// A flowchart for Mermaid. See `TreeSnapshot.mermaid(depth:)`.
  case mermaid
  /// A graph for Graphviz. See `TreeSnapshot.dot(depth:)`.
  case dot
  /// A self-contained page with search, filters and folding. See `TreeSnapshot.html(title:depth:)`.
  case html

  /// The usual file extension, without the dot.
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
  /// The tree in a given format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - depth: the number of levels below the root to write; all if nil. Every format except JSON shows how many
  ///     RIBs were omitted below a RIB.
  /// - Returns: the text, ending in a newline.
  /// - Complexity: O(*n*) in the number of RIBs.
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
