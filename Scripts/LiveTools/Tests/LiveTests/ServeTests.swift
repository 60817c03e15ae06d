// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import Testing

@testable import ribs_live

@Suite("ribs serve, in a browser", .needsBrowser, .timeLimit(.minutes(15)))
struct ServeTests {
  @Test("follows a tree: RIBs, work, failures and restarts are visible as they happen")
  func follow() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    #expect(try page.text("byID('status').textContent") == "live")
    try probe.tell("attach")
    try page.wait("document.querySelector('.row.attached[data-rib=Leaf]')")
    // The summary comes with the next reading, escaped.
    try page.wait("document.querySelector('[data-rib=Leaf] .summary')?.textContent === 'in \\\\u{1B}[31mred'")
    try probe.tell("detach")
    try page.wait("document.querySelector('.row.gone[data-rib=Leaf]')")
    try page.wait("!document.querySelector('[data-rib=Leaf]')")
    try probe.tell("stage")
    try page.wait("document.querySelector('[data-rib=Play]')?.getAttribute('aria-level') === '3'")
    try probe.tell("rehearse")
    try page.wait("document.querySelector('[data-rib=Stage] .chip.work')?.textContent === '1 task'")
    try probe.tell("finish")
    try page.wait("!document.querySelector('[data-rib=Stage] .chip.work')")
    try probe.tell("fail")
    try page.wait("document.querySelector('[data-rib=Play] .chip.warn')?.textContent === 'restarted 1 of 3'")
    try page.wait("byID('problem-badge').textContent === '1' && document.title.startsWith('(1) LiveProbe')")
    try probe.tell("misuse")
    try page.wait("byID('problem-badge').textContent === '2'")
    try page.click("#tab-problems")
    try page.wait("document.querySelectorAll('#problems .row').length === 2")
    let problems = try page.text("byID('problems').textContent")
    #expect(problems.contains("failedPlay  in  Root / Stageno connection to <b>the backend</b>"))
    #expect(problems.contains("misuseRootRIBs: Root: Stage can't be attached"))
    // Texts of the program are text, whatever they contain.
    #expect(try page.evaluate("document.querySelector('#problems b, .rows img')") is NSNull?)
    try probe.tell("end")
    try page.wait("byID('status').textContent === 'the tree has ended'")
    #expect(page.errors == [])
  }

  @Test("shows when sleeping work wakes, also in a page that is opened later")
  func sleepingWork() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    try probe.tell("stage")
    try probe.tell("nap 3600")
    let work = "document.querySelector('[data-rib=Stage] .chip.work')"
    try page.wait("/^nap .*, sleeps until /.test(\(work)?.title)")
    let later = try Serving(probe).openTree()
    try later.wait("\(work)")
    #expect(try later.text("\(work).title") == page.text("\(work).title"))
    try probe.tell("nap 1")
    for page in [page, later] {
      try page.wait("\(work).textContent === '2 tasks'")
      // It has woken, and is still there.
      try page.wait("\(work).title.split('\\n').filter((line) => !line.includes('sleeps')).length === 1")
      #expect(try page.evaluate("\(work).title.split('\\n').length") as? Int == 2)
      #expect(page.errors == [])
    }
    // A reading may have said so before the event.
    try page.wait("page.history.events.some((event) => event.kind === 'taskWoke')")
    // Looking back, after each event, whether the work slept.
    let slept = try page.evaluate(
      """
      [...page.history.ofNode.values()].flat().filter((event) => event.kind.startsWith('task')).map((event) => {
        page.lookBack(event.time, event.sequence);
        const stage = page.shownState.inOrder().find((node) => node.name === 'Stage');
        return [event.kind, ...stage.tasks.map((task) => task.end !== undefined)].join(' ');
      })
      """)
    #expect(
      slept as? [String] == [
        "taskStarted false", "taskSleeping true", "taskStarted true false", "taskSleeping true true",
        "taskWoke true false",
      ])
  }

  @Test("shows the same tree as a snapshot, after whatever has happened")
  func exact() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    var generator = SystemRandomNumberGenerator()
    try probe.tell("stage")
    let commands = ["attach", "detach", "rehearse", "finish", "wide 7", "burst 20", "attach"]
    for _ in 0..<60 {
      let command = commands[Int.random(in: commands.indices, using: &generator)]
      try probe.tell(command)
    }
    let dump = try probe.run("dump", "--format", "json").output.joined(separator: "\n")
    let snapshot = try #require(JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
    let nodes = try #require(snapshot["nodes"] as? [[String: Any]])
    let expected = nodes.map { node in
      "\(node["id"] ?? 0) \(node["name"] ?? "") \(node["state"] ?? "") \((node["tasks"] as? [String])?.count ?? 0)"
    }
    // Of the events alone: the page reads the tree no more.
    try page.wait(
      """
      JSON.stringify(page.history.state.inOrder().map((node) => [node.id, node.name, node.state, node.tasks.length].join(" ")))
        === JSON.stringify(\(try json(expected)))
      """)
  }

  @Test("looks back, steps, plays, and returns to the present")
  func time() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    for _ in 0..<3 { try probe.tell("attach") }
    try page.wait("page.history.state.nodes.size === 4")
    for _ in 0..<3 { try probe.tell("detach") }
    try page.wait("page.history.state.nodes.size === 1 && page.shownState.nodes.size === 1")
    // The slider.
    try page.evaluate(
      """
      (() => {
        const third = page.history.events.filter((event) => event.kind === "activated").at(-1);
        byID("time").value = third.time + 0.001;
        byID("time").dispatchEvent(new Event("input"));
      })()
      """)
    try page.wait(
      "byID('status').textContent === 'looking back' && document.querySelectorAll('#tree .row:not(.gone)').length === 4"
    )
    #expect(try page.text("byID('play').textContent") == "Play")
    // Steps: back to before the third was attached, and forward again.
    while try page.evaluate("page.shownState.nodes.size") as? Int == 4 { try page.press(",") }
    #expect(try page.evaluate("page.shownState.nodes.size") as? Int == 3)
    while try page.evaluate("page.shownState.nodes.size") as? Int == 3 { try page.press(".") }
    #expect(try page.evaluate("page.shownState.nodes.size") as? Int == 4)
    try page.press("p")
    try page.wait("byID('play').textContent === 'Pause' || page.isLive")
    try page.press("l")
    try page.wait("byID('status').textContent === 'live' && document.querySelectorAll('#tree .row').length === 1")
    // Playing ends in the present.
    try page.evaluate("byID('speed').value = '16'; page.lookBack(page.history.start)")
    try page.click("#play")
    try page.wait("page.isLive")
    // An event of the list leads to its time.
    try page.press("3")
    try page.wait("document.querySelector('#events .row')")
    try page.click("#events .row")
    try page.wait("!page.isLive && page.selected !== undefined")
    try page.wait("byID('details').textContent.includes('has left the tree at')")
    try page.press("Escape")
    try page.wait("page.isLive")
    #expect(page.errors == [])
  }

  @Test("has keys and controls that do what they say")
  func controls() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    try probe.tell("stage")
    try probe.tell("attach")
    try probe.tell("rehearse")
    try page.wait("document.querySelectorAll('#tree .row').length === 4")
    let rows = "[...document.querySelectorAll('#tree .row')].map((row) => row.dataset.rib).sort().join()"
    // Search, and Escape.
    try page.press("/")
    #expect(try page.text("document.activeElement.id") == "search")
    try page.type("play")
    try page.wait("\(rows) === 'Play,Root,Stage'")
    #expect(try page.text("document.querySelector('#tree mark').textContent") == "Play")
    try page.press("Escape")
    try page.wait("\(rows) === 'Leaf,Play,Root,Stage'")
    // The filter.
    try page.evaluate("byID('filter').value = 'working'; byID('filter').dispatchEvent(new Event('change'))")
    try page.wait("\(rows) === 'Root,Stage'")
    try page.evaluate("byID('filter').value = ''; byID('filter').dispatchEvent(new Event('change'))")
    // Arrows, and folding.
    try page.evaluate("byID('tree').focus()")
    for _ in 0..<2 { try page.press("ArrowDown") }
    try page.wait("document.querySelector('#tree [aria-selected=true]')?.dataset.rib === 'Stage'")
    try page.press("ArrowLeft")
    try page.wait("\(rows) === 'Leaf,Root,Stage'")
    #expect(try page.text("document.querySelector('#tree [data-rib=Stage]').getAttribute('aria-expanded')") == "false")
    try page.press("Enter")
    try page.wait("\(rows) === 'Leaf,Play,Root,Stage'")
    #expect(try page.text("byID('details').textContent").contains("rehearse (Stage.swift:"))
    try page.press("ArrowRight")
    try page.wait("document.querySelector('#tree [aria-selected=true]').dataset.rib === 'Play'")
    try page.click("#fold")
    try page.wait("\(rows) === 'Root'")
    try page.click("#unfold")
    try page.wait("\(rows) === 'Leaf,Play,Root,Stage'")
    // A click on a row, and on its triangle.
    try page.click("#tree [data-rib=Leaf] .name")
    try page.wait("document.querySelector('#details h2').textContent.startsWith('Leaf')")
    try page.click("#tree [data-rib=Stage] .twist")
    try page.wait("\(rows) === 'Leaf,Root,Stage'")
    // The views.
    for (key, view) in [("2", "lifetimes"), ("3", "events"), ("4", "problems"), ("5", "counts"), ("1", "tree")] {
      try page.press(key)
      try page.wait("getComputedStyle(byID('view-\(view)')).display !== 'none'")
      #expect(try page.text("byID('tab-\(view)').getAttribute('aria-selected')") == "true")
    }
    // The lifetimes are drawn, and a click selects a RIB.
    try page.press("2")
    try page.wait("page.lifetimes.spans?.length === 4")
    try page.evaluate("page.select(undefined)")
    let center = try page.evaluate(
      """
      (() => {
        const span = page.lifetimes.spans.find((span) => span.name === "Play");
        const box = byID("lifetimes-canvas").getBoundingClientRect();
        const { start, end, width } = page.lifetimes.geometry;
        // Its middle: when the clock of the page is set back a little, its start moves to the right.
        return [box.left + ((span.start + end) / 2 - start) / (end - start) * width, box.top + 26 + span.y * 19 + 8];
      })()
      """)
    let point = try #require(center as? [Double])
    for kind in ["mousePressed", "mouseReleased"] {
      try page.send(
        "Input.dispatchMouseEvent",
        ["type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1])
    }
    try page.wait("document.querySelector('#details h2')?.textContent.startsWith('Play')")
    // The events of one RIB.
    try page.press("3")
    try page.click("#only-rib")
    try page.wait("[...document.querySelectorAll('#events .rib')].every((cell) => cell.textContent === 'Play')")
    // Light, dark, and as the system.
    try page.click("#theme")
    try page.click("#theme")
    try page.wait("getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 27)'")
    // Help.
    try page.press("?")
    try page.wait("byID('help').open")
    try page.press("Escape")
    try page.wait("!byID('help').open")
    #expect(page.errors == [])
  }

  @Test("lists processes and trees, and follows one or all of them")
  func lists() throws {
    let first = try Probe(trees: 2)
    let second = try Probe(in: first.directory)
    let serving = try Serving(first)
    let page = try serving.openTree()
    try page.wait("byID('process').options.length === 2 && page.trees.trees.size > 0")
    try page.evaluate(
      "byID('process').value = '\(try serving.key(of: first))'; byID('process').dispatchEvent(new Event('change'))")
    try page.wait("page.trees.trees.size === 2 && page.followsAll && page.isConnected")
    // A tree that is not chosen reports its problems too, while all are followed.
    try first.tell("open <i>orders")
    try page.wait("page.trees.trees.size === 3 && byID('trees').textContent.includes('<i>orders:Root')")
    #expect(try page.text("byID('trees').textContent").contains("plan=free"))
    try page.press("t")
    try page.type("orders")
    try page.wait("document.querySelectorAll('#trees .row').length === 1")
    try page.press("Enter")
    try page.wait("page.tree === 3 && byID('tree-title').textContent === '<i>orders:Root'")
    try first.tell("stage")
    try first.tell("fail")
    try page.wait("page.problems.count === 1")
    try page.press("4")
    try page.wait("document.querySelector('#problems .row')")
    try page.click("#problems .row")
    try page.wait("page.tree === 1 && document.querySelector('#details h2')?.textContent.startsWith('Play')")
    // One tree only.
    try page.press("1")
    try page.click("#all-trees")
    try page.wait("!page.followsAll && page.isConnected && page.followed.endsWith(' 1')")
    try first.tell("fail")
    try page.wait("page.problems.count === 2")
    // The process ends, and the other one is still there.
    first.program.send(SIGKILL)
    try page.wait("byID('status').textContent === 'the process has ended'")
    try page.evaluate(
      "byID('process').value = '\(try serving.key(of: second))'; byID('process').dispatchEvent(new Event('change'))")
    try page.wait("byID('status').textContent === 'live' && page.trees.trees.size === 1")
  }

  @Test("says what to do while there is no process, and shows one that comes")
  func waiting() throws {
    let gone = try Probe()
    gone.program.send(SIGKILL)
    gone.program.process.waitUntilExit()
    let page = try Serving(gone).open()
    try page.wait("byID('tree').textContent.includes('No process shows its trees')")
    #expect(try page.text("byID('tree').textContent").contains("Inspector.start()"))
    let probe = try Probe(in: gone.directory)
    try page.wait("byID('status').textContent === 'live' && document.querySelector('[data-rib=Root]')")
    withExtendedLifetime(probe) {}
  }

  @Test("shows a recording at each time, and plays it")
  func recording() throws {
    let probe = try Probe()
    let file = "\(probe.directory)/trees.ribs"
    try Data().write(to: URL(filePath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    let record = try Program("ribs-live", ["record", "--directory", probe.directory], terminal: output)
    func recorded(_ text: String) throws -> Bool {
      try String(contentsOfFile: file, encoding: .utf8).contains(text)
    }
    while try !recorded(#""keyframe":1,"#) { try probe.tell("") }
    for line in ["stage", "rehearse", "attach", "fail", "finish", "detach", "misuse"] { try probe.tell(line) }
    while try !recorded(#""event":"misuse""#) { try probe.tell("") }
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    let recording = try TreeRecording(contentsOf: file)
    let page = try Serving(probe, file).open()
    try page.wait("byID('status').textContent === 'recording' && document.querySelector('[data-rib=Root]')")
    #expect(try page.text("byID('process').textContent") == "LiveProbe (\(probe.id)), recorded")
    // The tree at each event is the one that the recording has.
    for event in try recording.events(of: 1) {
      let snapshot = try #require(try recording.snapshot(of: 1, at: event.time))
      try page.evaluate("page.lookBack(\(Double(event.timeNanoseconds)) / 1e6)")
      let expected = snapshot.nodes.map {
        "\($0.id?.rawValue ?? 0) \($0.name) \($0.state) \($0.tasks.count) \($0.restarts?.made ?? 0)"
      }
      let shown = try page.evaluate(
        """
        page.shownState.inOrder().map((node) =>
          [node.id, node.name, node.state, node.tasks.length, node.restarts?.made ?? 0].join(" "))
        """)
      #expect(shown as? [String] == expected, "\(event)")
    }
    // The problems, with their times.
    try page.press("4")
    try page.wait("document.querySelectorAll('#problems .row').length === 2")
    try page.press("1")
    try page.evaluate("page.lookBack(page.history.start)")
    try page.press("]")
    try page.wait("document.querySelector('#tree .row.failed')?.dataset.rib === 'Play'")
    // Playing ends at the end.
    try page.evaluate("byID('speed').value = '16'")
    try page.press("p")
    try page.wait("page.time === page.history.bounds.end && byID('play').textContent === 'Play'")
    #expect(page.errors == [])
    // What is no recording.
    try Data("no".utf8).write(to: URL(filePath: file))
    let outcome = try Program("ribs-live", ["serve", file]).outcome()
    #expect(outcome.status == 65)
    #expect(outcome.errors.first?.contains("is not a recording") == true)
  }

  @Test("reads one part of a recording at a time while the slider is dragged, and then the last one")
  func dragging() throws {
    let probe = try Probe()
    let file = "\(probe.directory)/trees.ribs"
    try Data().write(to: URL(filePath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    let record = try Program("ribs-live", ["record", "--directory", probe.directory], terminal: output)
    func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    while try !text().contains(#""keyframe":1,"#) { try probe.tell("") }
    for line in ["attach", "attach"] { try probe.tell(line) }
    while try text().components(separatedBy: #""event":"activated""#).count < 3 { try probe.tell("") }
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    let page = try Serving(probe, file).open()
    try page.wait("byID('status').textContent === 'recording' && page.history?.bounds")
    // The list of trees is read once, and then only its changes.
    #expect(try page.text("page.server.trees('recording', 1).then((answer) => JSON.stringify(answer.added))") == "[]")
    try page.evaluate(
      """
      (() => {
        const { start, end } = page.history.bounds;
        const recording = page.server.recording.bind(page.server);
        window.asked = [];
        page.server.recording = (tree, time) => { window.asked.push(time / 1e6); return recording(tree, time); };
        window.last = start + (end - start) / 2;
        for (let step = 0; step <= 100; step++) page.readRecording(start + (window.last - start) * step / 100);
      })()
      """)
    try page.wait("!page.isReadingRecording && Math.abs(page.at - window.last) < 1")
    #expect(try page.evaluate("window.asked.length") as? Int == 2)
    #expect(page.errors == [])
  }

  @Test("keeps nothing of trees that have ended, also of those that are in no list")
  func activity() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    let kept = try page.evaluate(
      """
      (() => {
        for (let id = 1000; id < 3000; id++) page.trees.note({ tree: id, kind: "attached" });
        for (const activity of page.trees.activity.values()) activity.at -= 61000;
        page.trees.note({ tree: 3000, kind: "attached" });
        page.trees.take({ version: page.trees.version, added: [], ended: [] });
        return [...page.trees.activity.keys()].filter((id) => id >= 1000);
      })()
      """)
    #expect(kept as? [Int] == [3_000])
  }

  @Test("says that too many pages of a browser follow events, and continues when one is closed")
  func manyPages() throws {
    let probe = try Probe()
    let serving = try Serving(probe)
    let page = try serving.openTree()
    for count in 2...4 {
      try page.openAnother(serving.address)
      try page.wait("page.isConnected")
      #expect(try page.text("byID('status').textContent") == "live", "\(count)")
    }
    try page.openAnother(serving.address)
    try page.wait("byID('status').textContent === 'waiting for another page'")
    #expect(try page.text("byID('notice').textContent").hasPrefix("This page is open 4 times in this browser already"))
    // It shows the trees meanwhile.
    try page.wait("document.querySelector('#trees .row')")
    try page.closeFirst()
    try page.wait("page.isConnected && byID('status').textContent === 'live' && byID('notice').hidden")
    #expect(page.errors == [])
  }

  @Test("keeps each frame below 100 ms with ten thousand RIBs in a tree")
  func large() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    try probe.tell("wide 10000")
    try page.wait("page.history.state.nodes.size === 10001")
    var longest = Double.infinity
    // Other programs may take the processor, so the best of some attempts counts.
    for _ in 0..<5 where longest > 100 {
      try page.evaluate(
        """
        window.longest = 0;
        window.watching?.disconnect();
        window.watching = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
        });
        window.watching.observe({ type: "longtask" });
        page.goLive();
        """)
      for view in ["lifetimes", "tree"] {
        try page.evaluate("page.show('\(view)'); window.seen = page.history.lastEvent")
        try probe.tell("burst 500")
        try page.wait("page.history.lastEvent > window.seen")
        // From the top to the bottom, in a hundred frames.
        try page.evaluate(
          """
          (async () => {
            const box = byID("\(view)");
            for (let step = 0; step <= 100; step++) {
              box.scrollTop = box.scrollHeight * step / 100;
              await new Promise(requestAnimationFrame);
            }
          })()
          """)
      }
      try page.evaluate("byID('search').value = 'leaf'; byID('search').dispatchEvent(new Event('input'))")
      try page.wait("page.view.found?.size === 10000")
      try page.evaluate("page.view.clearSearch(); page.lookBack(page.history.start)")
      try page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
      longest = min(longest, try page.evaluate("window.longest") as? Double ?? .infinity)
    }
    #expect(longest < 100)
    #expect(page.errors == [])
  }

  @Test("lists ten thousand trees, and reads only their changes")
  func manyTrees() throws {
    let probe = try Probe(trees: 10_000)
    let page = try Serving(probe).open()
    try page.wait("page.trees.trees.size === 10000 && document.querySelectorAll('#trees .row').length > 5")
    #expect(try page.evaluate("document.querySelectorAll('#trees .row').length") as? Int ?? 0 < 60)
    // So many trees are not all followed unless the reader says so.
    #expect(try page.evaluate("page.followsAll") as? Bool == false)
    #expect(try page.text("byID('tree').textContent").contains("Choose a tree"))
    try page.evaluate(
      """
      window.sizes = [];
      const get = page.server.get.bind(page.server);
      page.server.get = async (path, parameters) => {
        const answer = await get(path, parameters);
        if (path === "trees") window.sizes.push(JSON.stringify(answer).length);
        return answer;
      };
      """)
    try probe.tell("open last")
    try page.wait("page.trees.trees.size === 10001")
    #expect(try page.evaluate("Math.max(...window.sizes)") as? Int ?? .max < 1_000)
    try page.press("t")
    try page.type("last")
    try page.wait("document.querySelectorAll('#trees .row').length === 1")
    try page.press("Enter")
    try page.wait("byID('status').textContent === 'live' && document.querySelector('[data-rib=Root]')")
  }

  @Test("counts lost events, shows them, and reads the tree again")
  func lost() throws {
    let probe = try Probe()
    let page = try Serving(probe).openTree()
    try probe.tell("burst 50000")
    try page.wait("page.lost > 0 && byID('numbers').textContent.includes('lost')")
    try probe.tell("attach")
    try page.wait("page.history.state.nodes.size === 2 && !page.history.hasGap")
  }

  @Test("fits on a telephone", arguments: ["tree", "trees", "lifetimes", "events", "problems", "counts"])
  func narrow(view: String) throws {
    let probe = try Probe()
    try probe.tell("stage")
    let page = try Serving(probe).open(width: 400, height: 800)
    try page.wait("document.querySelector('[data-rib=Root]')")
    try page.click("#tab-\(view)")
    let pane = view == "trees" ? "trees-pane" : "view-\(view)"
    try page.wait("byID('\(pane)').offsetHeight > 200")
    #expect(try page.evaluate("document.documentElement.scrollWidth") as? Int == 400)
    #expect(try page.evaluate("byID('\(pane)').getBoundingClientRect().right") as? Double ?? .infinity <= 400)
  }

  @Test("has text that is easy to read in both modes", arguments: [false, true])
  func contrast(isDark: Bool) throws {
    let page = try Serving(try Probe()).openTree()
    try page.evaluate("page.setTheme('\(isDark ? "dark" : "light")')")
    let ratios = try page.evaluate(
      """
      (() => {
        const light = (color) => {
          const parts = color.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
          return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const ratio = (one, other) => {
          const [high, low] = [light(page.color(one)), light(page.color(other))].sort((one, other) => other - one);
          return (high + 0.05) / (low + 0.05);
        };
        const pairs = [];
        for (const text of ["--text", "--faint", "--accent", "--good", "--warn", "--bad"]) {
          for (const ground of ["--ground", "--raised"]) pairs.push(ratio(text, ground));
        }
        pairs.push(ratio("--text", "--chosen"), ratio("--bad", "--bad-ground"));
        return pairs;
      })()
      """)
    // What WCAG asks of small text.
    for ratio in try #require(ratios as? [Double]) { #expect(ratio >= 4.5) }
  }

  private func json(_ texts: [String]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: texts), as: UTF8.self)
  }
}
