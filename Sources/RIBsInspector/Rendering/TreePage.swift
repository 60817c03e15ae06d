// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The parts of the HTML page that do not depend on the tree.
enum TreePage {
  /// The body of the page before the script fills it.
  static func body(title: String) -> String {
    """
    <header>
      <h1>\(title)</h1>
      <p id="count" role="status"></p>
      <div class="tools" role="search">
        <input id="search" type="search" placeholder="Search names, types, work" autocomplete="off" \
    spellcheck="false" aria-label="Search" aria-keyshortcuts="/">
        <label>State <select id="state">
          <option value="">any</option>
          <option>active</option>
          <option>inactive</option>
          <option>resigning</option>
        </select></label>
        <label><input id="working" type="checkbox"> working</label>
        <button id="unfold" type="button">Unfold all</button>
        <button id="fold" type="button">Fold all</button>
      </div>
    </header>
    <main>
      <div id="tree" role="tree" tabindex="0" aria-label="RIBs" aria-describedby="keys"><div id="rows"></div></div>
      <section id="details" aria-label="Details of the selected RIB" aria-live="polite"></section>
    </main>
    <footer id="keys">Keys: <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>→</kbd> unfold, <kbd>←</kbd> fold or go to the parent, \
    <kbd>Enter</kbd> fold or unfold, <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>/</kbd> search, \
    <kbd>Esc</kbd> clear</footer>
    <noscript>This page needs JavaScript to draw the tree.</noscript>
    """
  }

  static let style = """
    :root {
      color-scheme: light dark;
      --ground: light-dark(#ffffff, #15181c);
      --raised: light-dark(#f5f6f8, #1d2127);
      --line: light-dark(#d9dde3, #333a43);
      --text: light-dark(#1b1f24, #e4e8ed);
      --faint: light-dark(#5c6570, #98a2ae);
      --accent: light-dark(#0b62c4, #6cb2ff);
      --chosen: light-dark(#dcebfd, #21395a);
      --found: light-dark(#ffe58a, #6b5600);
      --active: light-dark(#23843f, #57c878);
      --resigning: light-dark(#b26a00, #f0a94a);
      --row: 28px;
    }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body {
      display: flex; flex-direction: column; background: var(--ground); color: var(--text);
      font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
    }
    header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 12px 16px; }
    header, footer { background: var(--raised); }
    header { border-bottom: 1px solid var(--line); }
    h1 { font-size: 16px; margin: 0; }
    #count { margin: 0; color: var(--faint); }
    .tools { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin-left: auto; }
    input, select, button {
      font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px;
      padding: 4px 8px;
    }
    #search { width: 270px; max-width: 100%; }
    #working { width: 14px; height: 14px; margin: 0 2px 0 0; vertical-align: -2px; }
    button { cursor: pointer; }
    button:hover { border-color: var(--accent); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
    main { flex: 1; display: flex; min-height: 0; }
    #tree { flex: 1; overflow: auto; position: relative; min-width: 0; }
    #rows { position: relative; min-width: 100%; }
    .row {
      position: absolute; left: 0; right: 0; height: var(--row); line-height: var(--row); display: flex; gap: 8px;
      align-items: center; padding-right: 12px; white-space: nowrap; cursor: default;
    }
    .row:hover { background: var(--raised); }
    .row[aria-selected=true] { background: var(--chosen); }
    .row.beside { opacity: .55; }
    .twist { flex: none; width: 20px; height: var(--row); cursor: pointer; position: relative; }
    .twist.open::before, .twist.closed::before {
      content: ""; position: absolute; left: 6px; top: 10px; width: 7px; height: 7px; border: solid var(--faint);
      border-width: 0 2px 2px 0; transform: rotate(-45deg);
    }
    .twist.open::before { top: 8px; left: 7px; transform: rotate(45deg); }
    .level { flex: none; color: var(--faint); font-size: 12px; }
    .dot { flex: none; width: 9px; height: 9px; border-radius: 50%; border: 2px solid var(--faint); }
    .dot.active { background: var(--active); border-color: var(--active); }
    .dot.resigning { background: var(--resigning); border-color: var(--resigning); }
    .name { flex: none; font-weight: 600; }
    .chip { flex: none; color: var(--faint); font-size: 12px; }
    .chip.work { color: var(--accent); }
    .summary { color: var(--faint); font-style: italic; overflow: hidden; text-overflow: ellipsis; }
    mark { background: var(--found); color: inherit; border-radius: 2px; }
    #details { width: 360px; flex: none; overflow: auto; border-left: 1px solid var(--line); padding: 16px; }
    #details h2 { font-size: 15px; margin: 0 0 4px; overflow-wrap: anywhere; }
    #details .path { color: var(--faint); margin: 0 0 12px; overflow-wrap: anywhere; font-size: 12px; }
    dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 6px 14px; }
    dt { color: var(--faint); }
    dd { margin: 0; overflow-wrap: anywhere; }
    .code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12.5px; }
    .none { padding: 24px; color: var(--faint); }
    footer { padding: 6px 16px; color: var(--faint); font-size: 12px; border-top: 1px solid var(--line); }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 4px; font: inherit; background: var(--ground); }
    @media (max-width: 760px) {
      main { flex-direction: column; }
      #details { width: auto; max-height: 40%; border-left: 0; border-top: 1px solid var(--line); }
      .tools { margin-left: 0; }
      footer { display: none; }
    }
    """
}
