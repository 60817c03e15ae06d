// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Selection {
  /// The trees as a self-contained HTML page with folding and search.
  package func html(title: String = "RIBs") -> String {
    var body = ""
    let lines = TreeOutline(self).lines
    for (position, line) in lines.enumerated() {
      let next = position + 1 < lines.count ? lines[position + 1].level : 0
      body += next > line.level ? "<li><details open><summary>\(row(line))</summary><ul>\n" : "<li>\(row(line))</li>\n"
      if next < line.level { body += String(repeating: "</ul></details></li>\n", count: line.level - next) }
    }
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
      <style>\(Self.style)</style>
      </head>
      <body>
      <header><h1>\(title.escapedForHTML)</h1><span>\(nodes.count) RIBs</span>
      <input id="search" type="search" placeholder="Search" aria-label="Search for a RIB"></header>
      <ul>
      \(body)</ul>
      <script>\(Self.script)</script>
      </body>
      </html>

      """
  }

  private func row(_ line: TreeOutline.Line) -> String {
    let node = graph.nodes[line.node]
    let place = node.isExternal ? "" : " title=\"\(node.path.escapedForHTML)\""
    var row = "<b\(place)>\(node.title.escapedForHTML)</b>"
    for remark in remarks(on: line) { row += " <i>\(remark.escapedForHTML)</i>" }
    if let summary = summary(of: line.node) { row += " <span>\(summary.escapedForHTML)</span>" }
    return row
  }

  private static let style = """
    :root { --line: light-dark(#d9dde3, #333a43); --faint: light-dark(#5c6570, #98a2ae); }
    body { background: light-dark(#fff, #15181c); color: light-dark(#1b1f24, #e4e8ed); margin: 0 0 40px;
      font: 15px/1.6 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
    header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; padding: 12px 24px;
      background: light-dark(#f5f6f8, #1d2127); border-bottom: 1px solid var(--line); }
    h1 { font-size: 18px; margin: 0; }
    input { font: inherit; padding: 2px 8px; border: 1px solid var(--line); border-radius: 6px; margin-left: auto;
      background: light-dark(#fff, #15181c); color: inherit; }
    ul { list-style: none; margin: 0; padding-left: 26px; }
    body > ul { padding: 12px 24px; }
    details > ul { border-left: 1px solid var(--line); margin-left: 5px; padding-left: 20px; }
    li { padding-left: 15px; } li:has(> details) { padding-left: 0; }
    summary { cursor: pointer; }
    header span, i, li span { color: var(--faint); font-size: 13px; }
    .hidden { display: none; }
    """

  private static let script = """
    const items = [...document.querySelectorAll("li")];
    document.getElementById("search").addEventListener("input", (event) => {
      const query = event.target.value.trim().toLowerCase();
      for (const item of items.toReversed()) {
        const own = (item.querySelector(":scope > b, :scope > details > summary > b")?.textContent || "").toLowerCase();
        const below = [...item.querySelectorAll("li")].some((other) => !other.classList.contains("hidden"));
        item.classList.toggle("hidden", query !== "" && !own.includes(query) && !below);
      }
    });
    """
}

extension String {
  fileprivate var escapedForHTML: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }
}
