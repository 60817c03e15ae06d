/// The characters that a tree is drawn with.
public struct TreeTextStyle: Sendable, Hashable {
  /// In front of a child that has siblings after it.
  let branch: String
  /// In front of the last child.
  let lastBranch: String
  /// Below a RIB that has siblings after it.
  let trunk: String
  /// Below the last child.
  let gap: String
  /// In front of RIBs that stand too deep to be indented.
  let ellipsis: String
  /// Between the things said of a RIB.
  let separator: String

  /// How wide a level is.
  var indentation: Int { 3 }

  /// Box-drawing characters.
  public static let unicode = TreeTextStyle(
    branch: "├─ ", lastBranch: "└─ ", trunk: "│  ", gap: "   ", ellipsis: "⋯ ", separator: " · ")

  /// ASCII only, also in names and summaries: everything else is escaped.
  public static let ascii = TreeTextStyle(
    branch: "|- ", lastBranch: "`- ", trunk: "|  ", gap: "   ", ellipsis: "... ", separator: "; ")

  var isASCII: Bool { self == .ascii }
}
