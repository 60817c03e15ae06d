// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The style sheet.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --ground: light-dark(#ffffff, #14171b);
      --raised: light-dark(#f6f7f9, #1b1f25);
      --line: light-dark(#dfe3e8, #2d333c);
      --text: light-dark(#1b1f24, #e3e7ec);
      --faint: light-dark(#5b6570, #98a2ae);
      --accent: light-dark(#0b62c4, #6cb2ff);
      --chosen: light-dark(#dcebfd, #20364f);
      --found: light-dark(#ffe58a, #6b5600);
      --good: light-dark(#1d7a38, #57c878);
      --good-ground: light-dark(#d8f3df, #173a23);
      --work-ground: light-dark(#d9e9ff, #1c3353);
      --warn: light-dark(#995a00, #f0a94a);
      --bad: light-dark(#b3261e, #ff8a80);
      --bad-ground: light-dark(#fde2e0, #4a1f1d);
      --bar: light-dark(#9fd3ae, #2f6b41);
      --bar-idle: light-dark(#d5d9df, #3a414b);
      --row: 26px;
    }
    :root.light { color-scheme: light; }
    :root.dark { color-scheme: dark; }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; margin: 0; }
    body {
      display: flex; flex-direction: column; background: var(--ground); color: var(--text); overflow: hidden;
      font: 13.5px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; font-variant-numeric: tabular-nums;
    }
    h1 { font-size: 15px; margin: 0; letter-spacing: .01em; }
    h2 { font-size: 13.5px; margin: 0; }
    p { margin: 0; }
    .faint { color: var(--faint); }
    .code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12px; }
    input, select, button {
      font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px;
      padding: 3px 8px; min-width: 0; max-width: 100%;
    }
    input[type=checkbox] { width: 14px; height: 14px; margin: 0 4px 0 0; vertical-align: -2px; }
    button { cursor: pointer; white-space: nowrap; }
    button:hover, select:hover { border-color: var(--accent); }
    button.quiet { background: none; border-color: transparent; color: var(--faint); }
    button.quiet:hover { color: var(--text); border-color: var(--line); }
    button:disabled { opacity: .45; cursor: default; border-color: var(--line); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; font: inherit; background: var(--raised); }

    #bar { display: flex; align-items: center; gap: 6px 14px; padding: 8px 14px; background: var(--raised); border-bottom: 1px solid var(--line); }
    #process { font-weight: 600; }
    #status { white-space: nowrap; }
    #status::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 7px; background: var(--faint); }
    #status.live::before { background: var(--good); }
    #status.past::before { background: var(--accent); border-radius: 2px; }
    #status.gone::before { background: var(--bad); }
    #numbers { display: flex; gap: 14px; margin: 0; white-space: nowrap; overflow: hidden; }
    #numbers div { display: flex; gap: 5px; }
    #numbers dt { color: var(--faint); order: 2; }
    #numbers dd { margin: 0; font-weight: 600; }
    #numbers .bad dd { color: var(--bad); }
    #numbers .warn dd { color: var(--warn); }
    #search-tools { display: flex; gap: 6px; margin-left: auto; }
    #search { width: 210px; }

    main { flex: 1; display: grid; grid-template-columns: 232px minmax(0, 1fr) 330px; min-height: 0; }
    #trees-pane { display: flex; flex-direction: column; border-right: 1px solid var(--line); min-height: 0; }
    .head { display: flex; align-items: baseline; gap: 8px; padding: 8px 12px 0; }
    .head input { width: 100%; margin-bottom: 8px; }
    #tree-count { margin-left: auto; }
    #all-trees-label { padding: 8px 12px; border-top: 1px solid var(--line); color: var(--faint); }
    #centre { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
    #tabs { display: flex; align-items: center; gap: 2px; padding: 0 8px; border-bottom: 1px solid var(--line); min-height: 37px; }
    #tabs [role=tab] { border: 0; border-radius: 0; background: none; color: var(--faint); padding: 8px 9px 7px; border-bottom: 2px solid transparent; }
    #tabs [role=tab]:hover { color: var(--text); }
    #tabs [aria-selected=true] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
    #tab-trees { display: none; }
    #tree-title { margin-left: auto; padding: 0 8px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #fold-tools { white-space: nowrap; }
    body:not([data-view=tree]) #fold-tools { display: none; }
    .badge { display: inline-block; min-width: 18px; padding: 0 5px; border-radius: 9px; background: var(--bad-ground); color: var(--bad); font-size: 12px; font-weight: 600; text-align: center; }
    .view { display: none; flex: 1; flex-direction: column; min-height: 0; }
    body[data-view=tree] #view-tree, body[data-view=lifetimes] #view-lifetimes, body[data-view=events] #view-events,
    body[data-view=problems] #view-problems, body[data-view=counts] #view-counts { display: flex; }
    body[data-view=trees] #view-tree { display: flex; }
    .tools { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; padding: 6px 14px; border-bottom: 1px solid var(--line); color: var(--faint); }
    .tools select { color: var(--text); }
    #notice { padding: 6px 14px; background: var(--raised); border-bottom: 1px solid var(--line); }
    #notice.bad { background: var(--bad-ground); color: var(--bad); }

    .rows { flex: 1; overflow: auto; position: relative; min-height: 0; }
    .rows > .sizer { position: relative; min-width: 100%; }
    .row {
      position: absolute; left: 0; right: 0; height: var(--row); display: flex; gap: 8px; align-items: center;
      padding: 0 12px 0 8px; white-space: nowrap; cursor: default; user-select: none; overflow: hidden;
    }
    .row:hover { background: var(--raised); }
    .row[aria-selected=true] { background: var(--chosen); }
    .row.beside { opacity: .55; }
    .empty { padding: 28px; max-width: 60ch; color: var(--faint); }
    .empty h3 { color: var(--text); font-size: 15px; margin: 0 0 8px; }
    .empty p { margin: 0 0 10px; }
    .empty pre { margin: 0 0 10px; padding: 10px 12px; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; overflow: auto; color: var(--text); font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; }

    .twist { flex: none; width: 16px; height: var(--row); cursor: pointer; position: relative; }
    .twist.open::before, .twist.closed::before {
      content: ""; position: absolute; left: 4px; top: 9px; width: 6px; height: 6px; border: solid var(--faint);
      border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
    }
    .twist.open::before { top: 8px; left: 5px; transform: rotate(45deg); }
    .guide { flex: none; align-self: stretch; width: 18px; margin-right: -8px; border-left: 1px solid var(--line); position: relative; left: 8px; }
    .level { flex: none; color: var(--faint); font-size: 12px; }
    .dot { flex: none; width: 8px; height: 8px; border-radius: 50%; border: 1.5px solid var(--faint); }
    .dot.active { background: var(--good); border-color: var(--good); }
    .dot.resigning { background: var(--warn); border-color: var(--warn); }
    .name { flex: none; font-weight: 550; }
    .chip { flex: none; color: var(--faint); font-size: 12px; }
    .chip.work { color: var(--accent); }
    .chip.warn { color: var(--warn); }
    .chip.bad { color: var(--bad); font-weight: 600; }
    .summary { flex: 0 1 auto; color: var(--faint); overflow: hidden; text-overflow: ellipsis; }
    .push { margin-left: auto; }
    mark { background: var(--found); color: inherit; border-radius: 2px; }
    .row.attached { animation: attached 1.4s ease-out; }
    .row.work { animation: work .9s ease-out; }
    .row.restarted { animation: restarted 2s ease-out; }
    .row.failed { animation: failed 4s ease-out; }
    .row.gone { opacity: .5; background: var(--raised); }
    .row.gone .name { text-decoration: line-through; font-weight: 400; }
    @keyframes attached { from { background-color: var(--good-ground); } }
    @keyframes work { from { background-color: var(--work-ground); } }
    @keyframes restarted { from { background-color: color-mix(in srgb, var(--warn) 30%, transparent); } }
    @keyframes failed { from, 50% { background-color: var(--bad-ground); } }
    .rows:focus-visible .row[aria-selected=true] { outline: 1px solid var(--accent); outline-offset: -1px; }

    #trees .row { height: 42px; flex-direction: column; align-items: stretch; justify-content: center; gap: 0; padding: 0 12px; }
    #trees .line { display: flex; gap: 8px; overflow: hidden; }
    #trees .line > :first-child { flex: 0 1 auto; overflow: hidden; text-overflow: ellipsis; }
    #trees .name { flex: 0 1 auto; }
    #trees .chip { line-height: 1.3; }
    #trees .row.ended { opacity: .55; }
    #events .row, #problems .row { gap: 12px; }
    .when { flex: none; min-width: 76px; white-space: nowrap; text-align: right; color: var(--faint); }
    .kind { flex: none; width: 124px; }
    .kind.good { color: var(--good); }
    .kind.work { color: var(--accent); }
    .kind.warn { color: var(--warn); }
    .kind.bad { color: var(--bad); font-weight: 600; }
    .path { flex: 0 1 auto; overflow: hidden; text-overflow: ellipsis; min-width: 60px; }
    .rib { flex: none; max-width: 50%; overflow: hidden; text-overflow: ellipsis; font-weight: 550; }
    .path { color: var(--faint); }
    .rest { flex: 1 1 0; overflow: hidden; text-overflow: ellipsis; color: var(--faint); min-width: 0; }
    #problems .row { height: 46px; }
    #problems .two { display: flex; flex-direction: column; min-width: 0; flex: 1; }
    #problems .two > * { flex: none; max-width: none; overflow: hidden; text-overflow: ellipsis; }

    #lifetimes { flex: 1; position: relative; overflow-y: auto; min-height: 0; }
    #lifetimes-canvas { position: sticky; top: 0; left: 0; display: block; width: 100%; }
    #lifetimes-size { position: absolute; width: 1px; top: 0; }
    #tip { position: fixed; z-index: 2; padding: 5px 9px; max-width: 44ch; background: var(--text); color: var(--ground); border-radius: 6px; pointer-events: none; font-size: 12.5px; }
    .swatch { display: inline-block; width: 14px; height: 9px; border-radius: 2px; margin: 0 3px 0 8px; background: var(--bar); }
    .swatch.work { background: var(--accent); height: 4px; vertical-align: 2px; }
    .swatch.bad { background: var(--bad); width: 4px; }

    #counts { overflow: auto; padding: 14px; display: grid; gap: 18px; align-content: start; }
    #counts table { border-collapse: collapse; width: 100%; max-width: 760px; }
    #counts caption { text-align: left; font-weight: 600; padding-bottom: 4px; }
    #counts th { text-align: right; color: var(--faint); font-weight: 400; padding: 3px 10px; border-bottom: 1px solid var(--line); }
    #counts td { text-align: right; padding: 3px 10px; border-bottom: 1px solid var(--line); }
    #counts th:first-child, #counts td:first-child { text-align: left; padding-left: 0; }
    #counts .share { width: 30%; padding: 0; }
    #counts .share i { display: block; height: 8px; background: var(--bar); border-radius: 2px; }

    #details { border-left: 1px solid var(--line); overflow: auto; padding: 12px 14px; min-height: 0; }
    #details h2 { font-size: 15px; overflow-wrap: anywhere; display: flex; gap: 8px; align-items: center; }
    #details .whole-path { color: var(--faint); margin: 2px 0 12px; overflow-wrap: anywhere; font-size: 12px; }
    #details dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 5px 14px; }
    #details dt { color: var(--faint); }
    #details dd { margin: 0; overflow-wrap: anywhere; }
    #details h3 { font-size: 13px; margin: 18px 0 4px; color: var(--faint); font-weight: 600; }
    #details ol { list-style: none; margin: 0; padding: 0; }
    #details li { display: grid; grid-template-columns: minmax(62px, max-content) minmax(0, 1fr); gap: 10px; padding: 2px 0; align-items: baseline; }
    #details li .when { min-width: 0; white-space: nowrap; }
    #details li div { overflow-wrap: anywhere; }
    #details li small { display: block; color: var(--faint); font-size: 12px; }
    #details .close { display: none; margin-left: auto; }
    .link { border: 0; background: none; padding: 0; color: var(--accent); text-align: left; white-space: normal; overflow-wrap: anywhere; }
    .link:hover { text-decoration: underline; }

    #timeline { display: flex; align-items: center; gap: 8px; padding: 6px 14px; background: var(--raised); border-top: 1px solid var(--line); }
    #play { min-width: 62px; }
    #track { flex: 1; position: relative; height: 34px; min-width: 80px; }
    #activity { position: absolute; inset: 0; width: 100%; height: 100%; border-radius: 5px; background: var(--ground); border: 1px solid var(--line); }
    #time { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; padding: 0; appearance: none; background: none; border: 0; cursor: ew-resize; }
    #time::-webkit-slider-runnable-track { height: 34px; }
    #time::-webkit-slider-thumb { appearance: none; width: 5px; height: 34px; background: var(--accent); border-radius: 3px; }
    #time::-moz-range-thumb { width: 5px; height: 34px; background: var(--accent); border: 0; border-radius: 3px; }
    #clock { min-width: 96px; text-align: right; white-space: nowrap; }
    #live.on { color: var(--good); border-color: var(--good); }

    dialog { color: var(--text); background: var(--ground); border: 1px solid var(--line); border-radius: 10px; padding: 20px 24px; max-width: min(640px, calc(100vw - 24px)); }
    dialog::backdrop { background: rgb(0 0 0 / .4); }
    dialog h2 { font-size: 17px; outline: none; }
    dialog p { margin: 10px 0; }
    dialog table { border-spacing: 0 5px; width: 100%; }
    dialog td { padding-right: 12px; }
    dialog form { text-align: right; margin-top: 8px; }

    @media (max-width: 1250px) { #numbers .optional { display: none; } #search { width: 160px; } }
    @media (max-width: 1050px) {
      main { grid-template-columns: 200px minmax(0, 1fr); }
      #details { grid-column: 1 / -1; border-left: 0; border-top: 1px solid var(--line); max-height: 40vh; }
      #details.none { display: none; }
      #details .close { display: block; }
      #tree-title { display: none; }
      #tabs { overflow-x: auto; }
      #fold-tools { margin-left: auto; }
    }
    @media (max-width: 700px) {
      #bar { flex-wrap: wrap; padding: 8px 10px; gap: 6px 10px; }
      h1, #numbers { display: none; }
      #process { flex: 1; }
      #search-tools { order: 3; width: 100%; margin: 0; }
      #search { flex: 1; }
      main { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr) auto; }
      #centre { display: contents; }
      #tabs { padding: 0 4px; }
      #tab-trees { display: block; }
      #fold-tools { display: none; }
      #trees-pane { display: none; border: 0; }
      #tabs { grid-row: 1; }
      #notice { grid-row: 3; }
      .view, body[data-view=trees] #trees-pane { grid-row: 2; min-width: 0; }
      body[data-view=trees] #trees-pane { display: flex; }
      body[data-view=trees] #view-tree { display: none; }
      #details { max-height: 48vh; grid-row: 4; }
      body[data-view=trees] #details { display: none; }
      .kind { width: 96px; }
      #events .path { display: none; }
      .when { min-width: 60px; }
      #timeline { padding: 6px 10px; gap: 6px; }
      #back, #forward, #speed { display: none; }
      #clock { min-width: 66px; }
      #play { min-width: 0; }
    }
    @media (prefers-reduced-motion: reduce) { .row { animation-timing-function: steps(1) !important; } }
    """#
}
