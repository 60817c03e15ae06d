// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

extension TreeSnapshot {
  /// The tree as a self-contained HTML page.
  ///
  /// The tree can be folded, searched and filtered by mouse or keyboard; the details of the selected RIB are shown
  /// beside it. The page loads nothing and follows the reader's light or dark color scheme. Only visible rows are
  /// drawn, so tens of thousands of RIBs are no problem.
  ///
  /// - Parameters:
  ///   - title: the title of the page.
  ///   - depth: the number of levels below the root to show; all if nil.
  /// - Returns: the page, ending in a newline.
  /// - Complexity: O(*n*) in the number of RIBs.
  public func html(title: String = "RIB tree", depth: Int? = nil) -> String {
    let hidden = TreeOutline(of: nodes, depth: depth).lines.map(\.hidden)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title.escapedForHTML)</title>
      <style>
      \(TreePage.style)
      </style>
      </head>
      <body>
      \(TreePage.body(title: title.escapedForHTML))
      <script type="application/json" id="snapshot">
      \(cut(toDepth: depth).encoded().embedded)
      </script>
      <script type="application/json" id="hidden">
      [\(hidden.contains { $0 > 0 } ? hidden.map(String.init).joined(separator: ",") : "")]
      </script>
      <script>
      \(TreePage.script)
      </script>
      </body>
      </html>

      """
  }
}

extension Data {
  /// JSON that is safe inside a `script` element. `<` can only occur in strings, where it is escaped.
  ///
  /// By bytes: a character may consist of `<` and what is before it.
  fileprivate var embedded: String {
    let parts = split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    return String(decoding: Array(parts.joined(separator: #"\u003c"#.utf8)), as: UTF8.self)
  }
}

extension String {
  /// The text on one line, escaped for HTML.
  fileprivate var escapedForHTML: String {
    var text = ""
    for scalar in escaped().unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
