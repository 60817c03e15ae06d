internal import Foundation
public import RIBs

extension TreeSnapshot {
  /// The tree as a page that stands in one file and loads nothing: the tree can be unfolded, searched and filtered, with
  /// the mouse and with the keyboard alone, and shows the details of a RIB beside it. It follows the reader's choice of a
  /// light or a dark screen.
  ///
  /// Only the rows in sight are drawn, so that tens of thousands of RIBs are no trouble.
  ///
  /// - Parameters:
  ///   - title: what the page is called.
  ///   - depth: how many levels below the root are shown; all if nil.
  /// - Returns: the page, with a newline at its end.
  /// - Complexity: linear in the number of RIBs.
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
  /// JSON as it may stand inside an element of a page: nothing in it ends the element. The sign can only stand in texts.
  fileprivate var embedded: String {
    String(decoding: self, as: UTF8.self).replacingOccurrences(of: "<", with: "\\u003c")
  }
}

extension String {
  /// The text on one line, as HTML shows it literally.
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
