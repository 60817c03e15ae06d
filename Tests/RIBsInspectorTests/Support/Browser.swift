// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A headless browser, for tests that use a page like a reader.
enum Browser {
  fileprivate static let program = Program("chromium", "chromium-browser", "google-chrome")

  /// Opens a page and runs a script in it.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - use: the body of an asynchronous function that uses the page and returns a result.
  ///   - head: elements to insert at the start of the page's head.
  /// - Returns: the result of the function, or the message of the error it threw.
  static func open<Seen: Decodable>(_ page: String, head: String = "", use: String) throws -> Seen {
    let folder = try TemporaryFolder()
    let driver = """
      <script>
      (async () => {
        const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        const press = (key, target = document.activeElement) =>
          target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        const type = (text, field) => { field.value = text; field.dispatchEvent(new Event("input", { bubbles: true })); };
        const all = (selector) => [...document.querySelectorAll(selector)];
        let seen;
        try { seen = { value: await (async () => { \(use) })() }; } catch (error) { seen = { error: String(error) }; }
        const text = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(seen))));
        document.body.replaceChildren(document.createTextNode("seen:" + text + ":seen"));
      })();
      </script>
      """
    var page = page.replacingOccurrences(of: "</body>", with: driver + "</body>")
    page = page.replacingOccurrences(of: "<head>", with: "<head>" + head)
    try Data(page.utf8).write(to: folder.file("page.html"))
    let outcome = try #require(program).run(
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.file("profile").path)",
        "--window-size=1200,700", "--virtual-time-budget=20000", "--dump-dom", folder.file("page.html").absoluteString,
      ], in: folder)
    let parts = outcome.output.components(separatedBy: ":seen")
    let text = parts[0].components(separatedBy: "seen:").last ?? ""
    let data = try #require(Data(base64Encoded: text), "The browser said: \(outcome.output) \(outcome.errors)")
    let answer = try JSONDecoder().decode(Answer<Seen>.self, from: data)
    return try #require(answer.value, "The page failed: \(answer.error ?? "")")
  }

  private struct Answer<Seen: Decodable>: Decodable {
    let value: Seen?
    let error: String?
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, with a message, if there is no browser.
  static var needsBrowser: Self {
    .enabled(if: Browser.program != nil, "Chromium is not installed: apt-get install chromium")
  }
}

extension Unicode.Scalar {
  /// Whether a picture shows it unchanged.
  var isShown: Bool {
    !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && value >= 0x20 && value != 0x7F
  }
}

extension String {
  /// The text that is encoded in HTML or XML.
  var withoutEntities: String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#45;", "-"), ("&#160;", " ")]
    return named.reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
      .replacingOccurrences(of: "&amp;", with: "&")
  }
}
