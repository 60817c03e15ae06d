// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The page of `ribs serve`, and of `ribs dump --format html` for a recording: one HTML file with its style and its
/// script, which loads nothing.
///
/// The script is written in parts, a class each. It creates elements and text nodes only, never markup from what trees
/// contain.
enum Page {
  /// The parts of the script, in the order in which they need each other.
  static let script = [
    text, events, treeState, history, server, rows, treesPane, treeView, detailsPane, lifetimesView, eventViews,
    countsView, timeline, program,
  ].joined(separator: "\n")

  /// What the page may do: run its own script and style.
  ///
  /// - Parameter connects: where it may send requests.
  static func policy(nonce: String, connects: String) -> String {
    """
    default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src \(connects); img-src data:; \
    base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types
    """
  }

  /// - Parameters:
  ///   - nonce: allows the style and the script to run.
  ///   - recording: a recording as JSON, for a page without a server.
  static func html(nonce: String, recording: String? = nil) -> String {
    // A file has no headers. No text in the recording ends its element.
    let meta = recording.map { _ in
      #"<meta http-equiv="Content-Security-Policy" content="\#(policy(nonce: nonce, connects: "'none'"))">"#
    }
    let data = recording.map {
      // By bytes: a character may consist of `<` and what is before it.
      let parts = $0.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
      let text = String(decoding: Array(parts.joined(separator: #"\u003c"#.utf8)), as: UTF8.self)
      return #"<script type="application/json" id="recording">"# + text + "</script>"
    }
    return #"""
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      \#(meta ?? "")
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>RIBs</title>
      <link rel="icon" href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><g fill='none' stroke='%232f7de1' stroke-width='1.6'><path d='M4 3v9.500h5M4 7h5'/></g><circle cx='4' cy='3' r='2' fill='%2323843f'/><circle cx='11' cy='7' r='2' fill='%2323843f'/><circle cx='11' cy='12.500' r='2' fill='%2323843f'/></svg>">
      <style nonce="\#(nonce)">
      \#(style)
      </style>
      </head>
      <body data-view="tree">
      <header id="bar">
        <h1>RIBs</h1>
        <select id="process" aria-label="Process"></select>
        <p id="status" role="status"></p>
        <dl id="numbers"></dl>
        <div id="search-tools" role="search">
          <input id="search" type="search" placeholder="Search RIBs" autocomplete="off" spellcheck="false" aria-label="Search RIBs, types, work and summaries" aria-keyshortcuts="/">
          <select id="filter" aria-label="Show">
            <option value="">all RIBs</option>
            <option value="working">with work</option>
            <option value="active">active</option>
            <option value="inactive">inactive</option>
            <option value="resigning">resigning</option>
            <option value="restarted">restarted</option>
            <option value="troubled">with problems</option>
          </select>
        </div>
        <button id="theme" type="button" class="quiet" title="Light, dark, or as the system">Auto</button>
        <button id="help-button" type="button" class="quiet" aria-keyshortcuts="?" title="Help (?)">?</button>
      </header>
      <main>
        <nav id="trees-pane" aria-label="Trees">
          <div class="head"><h2>Trees</h2><span id="tree-count" class="faint"></span></div>
          <div class="head"><input id="tree-search" type="search" placeholder="Name or label" autocomplete="off" spellcheck="false" aria-label="Search trees"></div>
          <div id="trees" class="rows" role="listbox" tabindex="0" aria-label="Trees"></div>
          <label id="all-trees-label" title="Off: only the chosen tree reports its events, and the others cost nothing. On: all trees do, so that problems and counts are those of the whole process."><input id="all-trees" type="checkbox"> Events of all trees</label>
        </nav>
        <section id="centre" aria-label="The chosen tree">
          <div id="tabs" role="tablist" aria-label="Views">
            <button role="tab" id="tab-trees" data-view="trees" aria-controls="trees-pane">Trees</button>
            <button role="tab" id="tab-tree" data-view="tree" aria-controls="view-tree">Tree</button>
            <button role="tab" id="tab-lifetimes" data-view="lifetimes" aria-controls="view-lifetimes">Lifetimes</button>
            <button role="tab" id="tab-events" data-view="events" aria-controls="view-events">Events</button>
            <button role="tab" id="tab-problems" data-view="problems" aria-controls="view-problems">Problems <span id="problem-badge" class="badge" hidden></span></button>
            <button role="tab" id="tab-counts" data-view="counts" aria-controls="view-counts">Counts</button>
            <span id="tree-title" class="faint"></span>
            <span id="fold-tools"><button id="unfold" type="button" class="quiet">Unfold all</button><button id="fold" type="button" class="quiet">Fold all</button></span>
          </div>
          <div id="notice" role="status" hidden></div>
          <div id="view-tree" class="view" role="tabpanel" aria-labelledby="tab-tree"><div id="tree" class="rows" role="tree" tabindex="0" aria-label="RIBs"></div></div>
          <div id="view-lifetimes" class="view" role="tabpanel" aria-labelledby="tab-lifetimes">
            <div class="tools">
              <label>Show <select id="span">
                <option value="10000">the last 10 s</option>
                <option value="60000" selected>the last minute</option>
                <option value="600000">the last 10 minutes</option>
                <option value="0">everything</option>
              </select></label>
              <span class="legend"><i class="swatch active"></i>active <i class="swatch work"></i>bound work <i class="swatch bad"></i>problem</span>
              <span id="span-note" class="faint"></span>
            </div>
            <div id="lifetimes"><div id="lifetimes-size"></div><canvas id="lifetimes-canvas" role="img" aria-label="Which RIBs lived when. The view Events lists the same as text."></canvas><div id="tip" hidden></div></div>
          </div>
          <div id="view-events" class="view" role="tabpanel" aria-labelledby="tab-events">
            <div class="tools">
              <label>Show <select id="kinds">
                <option value="">all events</option>
                <option value="structure">attaching and detaching</option>
                <option value="work">work and workers</option>
                <option value="problems">problems and restarts</option>
              </select></label>
              <label><input id="only-rib" type="checkbox"> of the selected RIB</label>
              <span id="event-count" class="faint"></span>
            </div>
            <div id="events" class="rows" role="listbox" tabindex="0" aria-label="Events, the latest first"></div>
          </div>
          <div id="view-problems" class="view" role="tabpanel" aria-labelledby="tab-problems"><div id="problems" class="rows" role="listbox" tabindex="0" aria-label="Problems, the latest first"></div></div>
          <div id="view-counts" class="view" role="tabpanel" aria-labelledby="tab-counts"><div id="counts"></div></div>
        </section>
        <aside id="details" aria-label="The selected RIB"></aside>
      </main>
      <footer id="timeline" aria-label="Time">
        <button id="back" type="button" class="quiet" title="The event before (,)" aria-label="The event before">◀</button>
        <button id="play" type="button" title="Play or pause (p)">Pause</button>
        <button id="forward" type="button" class="quiet" title="The next event (.)" aria-label="The next event">▶</button>
        <div id="track"><canvas id="activity" aria-hidden="true"></canvas><input id="time" type="range" min="0" max="1000" step="any" value="1000" aria-label="Time"></div>
        <output id="clock"></output>
        <select id="speed" aria-label="Speed">
          <option value="0.1">× 0.1</option><option value="0.25">× 0.25</option><option value="1" selected>× 1</option><option value="4">× 4</option><option value="16">× 16</option><option value="64">× 64</option>
        </select>
        <button id="live" type="button" title="Follow what happens now (l)">Live</button>
      </footer>
      <dialog id="help" aria-labelledby="help-title">
        <h2 id="help-title" tabindex="-1" autofocus>What you see</h2>
        <p>A row is a RIB: a router with its interactor. Children stand below their parent in the order in which they were attached. The dot shows whether the RIB is <b>active</b>, <b>inactive</b> or <b>resigning</b>.</p>
        <p>A row turns green when its RIB is attached, is crossed out when it is detached, blinks blue when work begins or ends, and turns red when it fails. Ages, subscriptions and summaries are read from the process about once a second; everything else is shown as it happens.</p>
        <p><b>Time.</b> The page keeps what it has seen since it was opened. Move the slider at the bottom to look back: the tree, the details and the events are those of that time. “Live” returns to the present.</p>
        <p><b>Lost events.</b> A process never waits for this page. If more happens than can be read, it drops the oldest events; the page shows how many, and reads the tree anew.</p>
        <table>
          <tr><td><kbd>/</kbd></td><td>search RIBs</td><td><kbd>t</kbd></td><td>search trees</td></tr>
          <tr><td><kbd>↑</kbd> <kbd>↓</kbd></td><td>move</td><td><kbd>←</kbd> <kbd>→</kbd></td><td>fold, unfold, to the parent</td></tr>
          <tr><td><kbd>Enter</kbd></td><td>fold or unfold; choose</td><td><kbd>Esc</kbd></td><td>clear, close</td></tr>
          <tr><td><kbd>p</kbd></td><td>play or pause</td><td><kbd>l</kbd></td><td>live</td></tr>
          <tr><td><kbd>,</kbd> <kbd>.</kbd></td><td>the event before, the next one</td><td><kbd>1</kbd> … <kbd>5</kbd></td><td>views</td></tr>
          <tr><td><kbd>[</kbd> <kbd>]</kbd></td><td>the problem before, the next one</td><td><kbd>?</kbd></td><td>this help</td></tr>
        </table>
        <form method="dialog"><button>Close</button></form>
      </dialog>
      <noscript>This page needs JavaScript.</noscript>
      \#(data ?? "")
      <script nonce="\#(nonce)">
      "use strict";
      \#(script)
      </script>
      </body>
      </html>
      """#
  }
}
