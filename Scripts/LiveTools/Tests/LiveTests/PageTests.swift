// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import ribs_live

/// What the page does with the answers of a server, which is an object of the test here.
@Suite("The script of the page", .needsBrowser, .timeLimit(.minutes(15)))
struct PageTests {
  /// Opens the page with a server of a process that has two trees.
  ///
  /// - Parameter changes: methods of the server that differ, as JavaScript.
  private func open(_ changes: String = "") throws -> Chromium {
    let folder = TemporaryFolder()
    try folder.write(Page.html(nonce: "x"), to: "page.html")
    let page = try Chromium(folder.url.appending(path: "page.html").absoluteString)
    page.companions = [folder]
    try page.evaluate(
      """
      window.frames = async (count) => { while (count-- > 0) await new Promise(requestAnimationFrame); };
      window.root = { name: "Root", router: "R", interactor: "I", hasView: false, state: "active", subscriptions: 0, id: 1 };
      window.event = (number, kind, more) =>
        ({ tree: 1, number, kind, node: 1, path: ["Root"], timeNanoseconds: number * 1e9, ...more });
      window.listed = (count) => Array.from({ length: count }, (_, index) => ({ id: index + 1, name: "Root", labels: {}, launched: 0 }));
      window.running = [{ key: "a", name: "x", pid: 1 }];
      page.server = {
        processes: async () => ({ processes: window.running }),
        trees: async (process, version) => version ? { version, added: [], ended: [] } : { version: 1, trees: listed(2) },
        snapshot: async () => ({ snapshot: { nodes: [root] }, keyframe: { number: 0, timeNanoseconds: 5 } }),
        follow(process, tree, take, lose) {
          setTimeout(() => take({ answer: "following" }));
          return window.stream = { process, take, lose, readyState: 1, close() { this.readyState = 2; } };
        },
        \(changes)
      };
      page.readProcesses();
      """)
    return page
  }

  /// Methods of a server that has a recording of a hundred seconds with an event in each, and answers with the ten before
  /// and after a time, a few frames later.
  private let recording = """
    async recording(tree, at) {
      await frames(2);
      const middle = at === undefined ? 100 : Math.floor(at / 1e9);
      const [from, to] = [Math.max(0, middle - 10), Math.min(100, middle + 10)];
      const events = [];
      for (let number = from + 1; number <= to; number++) events.push(event(number, "childrenUpdated"));
      (window.parts ??= []).push(from);
      return {
        start: 0, end: 100e9, from: from * 1e9, to: to * 1e9, snapshot: { nodes: [root] }, events, snapshots: [], lostEvents: 0,
        problems: [],
      };
    },
    processes: async () => ({ processes: [{ key: "recording", name: "x", pid: 1, isRecorded: true }] }),
    """

  @Test("plays a recording that is read in parts")
  func playing() throws {
    let page = try open(recording)
    try page.wait("page.history?.bounds && !page.isReadingRecording")
    try page.evaluate(
      """
      window.shown = new Set();
      page.takeRecording = ((take) => function (part, time) {
        window.shown.add(part.from);
        take.call(this, part, time);
      })(page.takeRecording);
      byID("speed").value = "64";
      page.timeline.toggle();
      """)
    try page.wait("page.time === page.history.bounds.end && byID('play').textContent === 'Play'")
    #expect(try page.evaluate("window.shown.size") as? Int ?? 0 > 4)
  }

  @Test("steps from one part of a recording to the next, and says that it shows a part")
  func parts() throws {
    let page = try open(recording)
    try page.wait("page.history?.bounds && !page.isReadingRecording")
    try page.evaluate("page.lookBack(50000)")
    try page.wait("page.history.bounds.from === 40000")
    #expect(try page.text("page.problems.none().textContent").contains("This part of the recording"))
    // Back: to the state before the first event of the part, and then to the part before it.
    try page.evaluate("page.lookBack(page.history.events[0].time, page.history.events[0].sequence)")
    try page.evaluate("page.timeline.step(-1)")
    #expect(try page.evaluate("page.time") as? Double == 40_000)
    try page.evaluate("page.timeline.step(-1)")
    try page.wait("page.history.bounds.from < 40000 && Math.round(page.time) === 40000")
    // Forward.
    try page.evaluate("page.lookBack(page.history.events.at(-1).time, page.history.events.at(-1).sequence)")
    let end = try page.evaluate("page.history.bounds.to") as? Double ?? 0
    try page.evaluate("page.timeline.step(1)")
    try page.wait("page.history.bounds.to > \(end) && Math.round(page.time) === \(end)")
    // At both ends, as a recording that is read as a whole.
    try page.evaluate("page.lookBack(0)")
    try page.wait("page.history.bounds.from === 0 && !page.isReadingRecording")
    try page.evaluate("page.timeline.step(-1)")
    #expect(try page.evaluate("page.time") as? Double == 0)
  }

  @Test("reads a tree that loses events as often as others")
  func losing() throws {
    let page = try open(
      """
      async snapshot() {
        const began = performance.now();
        await frames(3);
        (window.readings ??= []).push({ began, ended: performance.now() });
        return { snapshot: { nodes: [root] }, keyframe: { number: 0, timeNanoseconds: 5 } };
      },
      """)
    try page.wait("page.isConnected && page.history?.state")
    try page.evaluate(
      """
      (async () => {
        window.readings = [];
        for (let number = 2; readings.length < 3; number += 2) {
          stream.take({ answer: "lost", count: 1 });
          // A child of a RIB that the page does not know.
          stream.take({ answer: "event", event: event(number, "attached", { node: number, parent: 999999 }) });
          await frames(1);
        }
      })()
      """)
    // Reading takes at most a twentieth of the time; here a tenth, because other programs may take the processor.
    let pauses = try page.evaluate(
      "readings.slice(1).every((next, index) => next.began - readings[index].ended > 10 * (readings[index].ended - readings[index].began))"
    )
    #expect(pauses as? Bool == true)
  }

  @Test("keeps a bounded number of RIBs of a tree that loses events")
  func bounded() throws {
    let page = try open()
    let kept = try page.evaluate(
      """
      (() => {
        History.ribs = 50;
        const history = new History();
        for (let number = 1; number <= 200; number++) {
          history.add(readEvent(event(number, "childrenUpdated")));
          history.gap(1);
          history.takeSnapshot({ nodes: [root] }, { number, timeNanoseconds: number * 1e9 }, number);
        }
        // Looking back at the oldest time that is left, and at the last one.
        const times = [history.start, history.lastEvent];
        return [history.keyframes.length, history.events.length, ...times.map((time) => history.stateAt(time).state.nodes.size)];
      })()
      """)
    #expect(kept as? [Int] == [50, 49, 1, 1])
  }

  @Test("shows a tree while another one does not answer")
  func stuck() throws {
    let page = try open(
      """
      snapshot(process, tree, signal) {
        if (tree === 2) return Promise.resolve({ snapshot: { nodes: [root] }, keyframe: { number: 0, timeNanoseconds: 5 } });
        return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(new Error("It is aborted."))));
      },
      """)
    try page.wait("page.tree === 1 && page.isConnected")
    try page.evaluate("page.choose(2)")
    try page.wait("page.tree === 2 && document.querySelector('[data-rib=Root]')", atMost: 20)
    #expect(try page.text("page.treeProblem") == "")
  }

  @Test("follows a process again that was gone")
  func back() throws {
    let page = try open()
    try page.wait("page.isConnected")
    try page.evaluate(
      """
      window.running = [];
      page.readProcesses().then(() => {
        stream.readyState = 2;
        stream.lose(true);
      })
      """)
    try page.wait("page.isGone && !page.isConnected")
    try page.evaluate("window.running = [{ key: 'a', name: 'x', pid: 1 }]")
    try page.wait("!page.isGone && page.isConnected")
  }

  @Test("shows the latest work and problems of a RIB, however many it had")
  func lifetimes() throws {
    let page = try open()
    let kept = try page.evaluate(
      """
      (() => {
        const history = new History();
        history.add(readEvent(event(1, "activated")));
        history.add(readEvent(event(2, "taskStarted", { work: "long" })));
        let number = 2;
        for (let round = 0; round < 2000; round++) {
          for (const kind of ["taskStarted", "taskFailed"]) history.add(readEvent(event(++number, kind, { work: "work" })));
        }
        const { work, problems } = history.openSpans.get(1);
        return [work[0].name, work.at(-1).start, work.length <= 500, problems.at(-1), problems.length <= 500].join(" ");
      })()
      """)
    #expect(kept as? String == "long 4001000 true 4002000 true")
  }

  @Test("follows nothing once the events of all trees are deselected and no tree is chosen")
  func deselecting() throws {
    let page = try open(
      "trees: async (process, version) => version ? { version, added: [], ended: [] } : { version: 1, trees: listed(200) },"
    )
    try page.wait("page.trees.trees.size === 200")
    try page.click("#all-trees")
    try page.wait("page.isConnected")
    try page.click("#all-trees")
    #expect(
      try page.evaluate("stream.readyState === 2 && !page.isConnected && page.source === undefined") as? Bool == true)
    try page.click("#all-trees")
    try page.wait("page.isConnected && stream.readyState === 1")
  }

  @Test("chooses the latest event with the first key")
  func firstKey() throws {
    let page = try open()
    try page.wait("page.isConnected && page.history?.state")
    try page.evaluate(
      "for (let number = 1; number <= 300; number++) stream.take({ answer: 'event', event: event(number, 'childrenUpdated') })"
    )
    try page.press("3")
    try page.wait("page.events.shown.length === 300")
    try page.evaluate("byID('events').focus()")
    try page.press("ArrowDown")
    try page.wait("page.history.events.find((event) => event.sequence === page.events.chosen)?.number === 300")
  }
}
