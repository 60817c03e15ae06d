/// The characters that a tree is drawn with.
public struct TreeTextStyle: Sendable, Hashable {
  /// Before a child that has later siblings.
  let branch: String
  /// Before the last child.
  let lastBranch: String
  /// Below a RIB that has later siblings.
  let trunk: String
  /// Below the last child.
  let gap: String
  /// Before RIBs that are too deep to be indented.
  let ellipsis: String
  /// Between the details of a RIB.
  let separator: String

  /// The width of a level, in characters.
  var indentation: Int { 3 }

  /// Box-drawing characters.
  public static let unicode = TreeTextStyle(
    branch: "├─ ", lastBranch: "└─ ", trunk: "│  ", gap: "   ", ellipsis: "⋯ ", separator: " · ")

  /// ASCII only. Other characters in names and summaries are escaped.
  public static let ascii = TreeTextStyle(
    branch: "|- ", lastBranch: "`- ", trunk: "|  ", gap: "   ", ellipsis: "... ", separator: "; ")

  var isASCII: Bool { self == .ascii }
}
