// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
  /// Whether the text has the colors of a terminal.
  var isColored = false

  /// The width of a level, in characters.
  var indentation: Int { 3 }

  /// Box-drawing characters.
  public static let unicode = TreeTextStyle(
    branch: "├─ ", lastBranch: "└─ ", trunk: "│  ", gap: "   ", ellipsis: "⋯ ", separator: " · ")

  /// ASCII only. Other characters in names and summaries are escaped.
  public static let ascii = TreeTextStyle(
    branch: "|- ", lastBranch: "`- ", trunk: "|  ", gap: "   ", ellipsis: "... ", separator: "; ")

  /// This style, with the colors of a terminal: dim branches and inactive RIBs, and yellow for what resigns or was
  /// restarted. The colors are escape sequences, so this is for a terminal only.
  public var colored: TreeTextStyle {
    var style = self
    style.isColored = true
    return style
  }

  var isASCII: Bool { branch == TreeTextStyle.ascii.branch }

  /// The start of a color; its end is `plain`.
  enum Color: String {
    case dim = "\u{1B}[2m"
    case yellow = "\u{1B}[33m"

    static let plain = "\u{1B}[0m"
  }

  /// A text in a color; as it is if the style has none.
  func painted(_ text: String, _ color: Color?) -> String {
    guard isColored, let color, !text.isEmpty else { return text }
    return color.rawValue + text + Color.plain
  }
}
