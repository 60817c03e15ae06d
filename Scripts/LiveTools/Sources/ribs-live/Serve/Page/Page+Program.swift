// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The page: what is chosen, what is read from the server, and when to draw.
  static let program = #"""
    class Page {
      /// Histories that are kept when another tree is chosen.
      static histories = 4;
      /// Trees of a process up to which all report their events unless the reader decides otherwise.
      static treesFollowed = 100;
      /// Pages of a browser that follow events at the same time. A browser opens at most six connections to a server, for
      /// all its pages, and a page that follows events occupies one. The others are for what the pages read.
      static followers = 4;

      constructor() {
        this.embedded = byID("recording") ? new EmbeddedRecording(byID("recording").textContent) : null;
        this.server = this.embedded ?? new Server();
        this.processes = [];
        this.process = undefined;
        this.tree = undefined;
        this.selected = undefined;
        this.histories = new Map();
        this.isLive = true;
        this.problemText = "";
        this.lost = 0;
        this.colors = new Map();
      }

      start() {
        this.trees = new TreesPane();
        this.view = new TreeView();
        this.details = new DetailsPane();
        this.lifetimes = new LifetimesView();
        this.events = new EventsView();
        this.problems = new ProblemsView();
        this.counts = new CountsView();
        this.timeline = new Timeline();
        this.wanted = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
        if (this.wanted.view && byID("view-" + this.wanted.view)) this.show(this.wanted.view); else this.show("tree");
        byID("process").addEventListener("change", (event) => this.chooseProcess(event.target.value));
        byID("all-trees").addEventListener("change", (event) => {
          this.choseScope = true;
          this.followsAll = event.target.checked;
          this.follow();
        });
        for (const tab of byID("tabs").querySelectorAll("[role=tab]")) {
          tab.addEventListener("click", () => this.show(tab.dataset.view));
        }
        byID("help-button").addEventListener("click", () => byID("help").showModal());
        byID("theme").addEventListener("click", () => this.nextTheme());
        try { this.setTheme(localStorage.theme ?? "auto"); } catch { this.setTheme("auto"); }
        document.addEventListener("keydown", (event) => this.press(event));
        addEventListener("resize", () => this.draw());
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colors.clear(); this.draw(); });
        document.addEventListener("visibilitychange", () => { if (!document.hidden) { if (!this.isRecording) this.readTree(); this.draw(); } });
        setInterval(() => this.draw(), 500);
        this.readProcesses();
        this.draw();
      }

      get isNarrow() { return matchMedia("(max-width: 700px)").matches; }
      /// Whether a recording is shown in place of processes.
      get isRecording() { return this.processes.some((process) => process.isRecorded); }
      /// Whether a part of a recording is shown.
      get isPart() {
        const bounds = this.history?.bounds;
        return bounds && (bounds.from > bounds.start || bounds.to < bounds.end || this.embedded?.contents.note);
      }
      get history() { return this.histories.get(this.key(this.tree)); }
      /// The time of the tree that is shown.
      get time() { return this.isLive ? this.history?.now() ?? 0 : this.at; }
      get shownState() { return this.isLive ? this.history?.state ?? null : this.replay?.state ?? null; }

      key(tree) { return this.process + " " + tree; }

      // Reading

      async readProcesses() {
        clearTimeout(this.processTimer);
        try {
          const answer = await this.server.processes();
          this.processes = answer.processes;
          this.setProblem("");
          byID("all-trees-label").hidden = this.isRecording;
          byID("live").textContent = this.isRecording ? "End" : "Live";
          this.showProcesses();
          if (!this.process && this.processes.length) {
            const wanted = this.processes.find((process) => process.key === this.wanted.process);
            this.chooseProcess((wanted ?? this.processes[0]).key);
          }
        } catch (error) {
          this.setProblem(error.message);
        }
        this.processTimer = setTimeout(() => this.readProcesses(), 2000);
        this.draw();
      }

      showProcesses() {
        const select = byID("process");
        const current = this.processes.find((process) => process.key === this.process);
        const wasGone = this.isGone;
        this.isGone = this.process !== undefined && !current;
        if (wasGone && !this.isGone) this.follow();
        const shown = this.processes.map((process) => [process.key, printable(process.name) + " (" + process.pid + ")" + (process.isRecorded ? ", recorded" : "")]);
        if (this.isGone) shown.unshift([this.process, this.processName + " has ended"]);
        if (current) this.processName = printable(current.name) + " (" + current.pid + ")";
        if (!shown.length) shown.push(["", "no process"]);
        const signature = JSON.stringify(shown);
        if (signature !== this.processSignature) {
          this.processSignature = signature;
          select.replaceChildren(...shown.map(([key, text]) => {
            const option = element("option", "", text);
            option.value = key;
            return option;
          }));
        }
        select.value = this.process ?? shown[0][0];
        select.disabled = !this.processes.length;
      }

      chooseProcess(key) {
        if (key === this.process) return;
        this.source?.close();
        this.stopReading();
        this.process = key;
        this.isGone = false;
        this.tree = undefined;
        this.selected = undefined;
        this.lost = 0;
        this.choseScope = false;
        this.followsAll = undefined;
        this.histories.clear();
        this.trees.clear();
        this.view.clear();
        this.problems.clear();
        this.counts.clear();
        this.goLive();
        this.showProcesses();
        this.remember();
        this.readTrees();
      }

      async readTrees() {
        clearTimeout(this.treesTimer);
        const process = this.process;
        const began = performance.now();
        if (!this.isGone && !document.hidden) {
          try {
            const answer = await this.server.trees(process, this.trees.version);
            if (process !== this.process) return;
            this.trees.take(answer);
            const { trees } = this.trees;
            if (!this.choseScope) this.setScope(trees.size <= Page.treesFollowed);
            if (this.tree === undefined) {
              const wanted = Number(this.wanted.tree);
              const first = trees.has(wanted) && process === this.wanted.process ? wanted : trees.size <= Page.treesFollowed ? trees.keys().next().value : undefined;
              if (first !== undefined) this.choose(first);
            } else if (!trees.has(this.tree) && this.history?.state && !this.history.state.hasEnded) {
              this.history.state.hasEnded = true;
            }
          } catch (error) {
            if (process !== this.process) return;
            if (!(error instanceof Unreachable)) this.trees.version = undefined;
          }
        }
        this.treesTimer = setTimeout(() => this.readTrees(), Math.max(1000, 10 * (performance.now() - began)));
        this.draw();
      }

      setScope(followsAll) {
        if (this.followsAll === followsAll) return;
        this.followsAll = followsAll;
        byID("all-trees").checked = followsAll;
        this.follow();
      }

      /// Follows the events of the chosen tree, or of all trees.
      follow() {
        if (this.isRecording) return;
        if (!this.hasPlace) return void this.takePlace();
        const { process } = this;
        const scope = this.followsAll ? "all" : this.tree;
        const followed = process + " " + scope;
        if (this.followed === followed && this.source && this.source.readyState !== EventSource.CLOSED) return;
        this.source?.close();
        clearTimeout(this.followTimer);
        if (scope === undefined) {
          this.source = this.followed = undefined;
          this.isConnected = false;
          return void this.draw();
        }
        // What is not followed has a gap from here on.
        for (const [key, history] of this.histories) if (!this.followsAll && key !== this.key(this.tree)) history.hasGap = true;
        this.followed = followed;
        this.isConnected = false;
        const source = this.server.follow(process, this.followsAll ? undefined : this.tree, (answer) => {
          if (source === this.source) this.take(answer);
        }, (isClosed) => {
          if (source !== this.source) return;
          this.isConnected = false;
          for (const history of this.histories.values()) history.hasGap = true;
          if (isClosed && !this.isGone) this.followTimer = setTimeout(() => { this.followed = undefined; this.follow(); }, 1000);
          this.draw();
        });
        this.source = source;
      }

      /// Waits until few enough pages of this browser follow events, and follows them then.
      async takePlace() {
        if (this.isTakingPlace) return;
        this.isTakingPlace = true;
        while (!await this.takeFreePlace()) {
          this.waitsForPlace = true;
          this.draw();
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
        this.isTakingPlace = false;
        this.waitsForPlace = false;
        this.hasPlace = true;
        this.follow();
      }

      /// Takes one of the places for pages that follow events. The browser releases it when the page is closed.
      async takeFreePlace() {
        if (!navigator.locks) return true;
        for (let place = 0; place < Page.followers; place++) {
          const isFree = await new Promise((resolve) => {
            navigator.locks.request("ribs-events-" + place, { ifAvailable: true }, (lock) => {
              resolve(lock !== null);
              return lock && new Promise((release) => { this.releasePlace = release; });
            }).catch(() => resolve(true));
          });
          if (isFree) return true;
        }
        return false;
      }

      /// Takes an answer of the inspector.
      take(answer) {
        switch (answer.answer) {
        case "following":
          this.isConnected = true;
          this.readTree();
          break;
        case "event": this.takeEvent(readEvent(answer.event)); break;
        case "lost":
          this.lost += answer.count;
          for (const history of this.histories.values()) history.gap(answer.count);
          this.readSoon();
          break;
        case "ended":
          if (this.history?.state) this.history.state.hasEnded = true;
          break;
        case "error":
          // Don't retry: the process refuses the request until the user chooses another tree.
          this.source.close();
          this.isConnected = false;
          if (!this.history?.state?.hasEnded) this.treeProblem = printable(answer.message ?? "");
          break;
        }
        this.draw();
      }

      takeEvent(event) {
        this.counts.note(event);
        this.trees.note(event);
        if (isProblem(event.kind)) this.problems.note(event);
        const history = this.histories.get(this.key(event.tree));
        if (!history) return;
        const isShown = this.isLive && event.tree === this.tree;
        const previous = isShown && event.kind === "detached" ? history.state?.nodes.get(event.node)?.prev : undefined;
        const hadGap = history.hasGap;
        const node = history.add(event);
        if (isShown) this.view.note(event, node, previous);
        // Children of RIBs that the page does not know, or missing numbers: it has missed something.
        if (event.tree === this.tree && (history.hasGap && !hadGap || (event.kind === "attached" && !node && history.state))) this.readSoon();
      }

      /// Reads the chosen tree about once a second, because ages, summaries and subscriptions are in no event.
      async readTree() {
        const { process, tree } = this;
        if (this.isRecording) return this.readRecording(undefined);
        if (this.reading) { this.readsAgain = true; return; }
        clearTimeout(this.treeTimer);
        if (tree === undefined) return;
        const history = this.history;
        const began = performance.now();
        const reading = new AbortController();
        this.reading = reading;
        if (!document.hidden && !this.isGone && !history.state?.hasEnded && (this.isConnected || !history.state)) {
          try {
            const answer = await this.server.snapshot(process, tree, reading.signal);
            const at = performance.now();
            if (reading === this.reading && answer.snapshot) {
              history.takeSnapshot(answer.snapshot, answer.keyframe, at);
              this.treeProblem = "";
              if (this.isLive) this.view.show(history.state);
            }
          } catch (error) {
            if (reading === this.reading) this.treeProblem = error instanceof Unreachable ? "" : error.message;
          }
        }
        if (reading !== this.reading) return;
        this.reading = undefined;
        // A large tree is read less often: reading takes at most a twentieth of the time.
        const now = performance.now();
        const pause = 20 * (now - began);
        this.nextReading = now + pause;
        this.treeTimer = setTimeout(() => this.readTree(), Math.max(this.readsAgain ? 100 : 1000, pause));
        this.readsAgain = false;
        this.draw();
      }

      /// Reads the chosen tree because the page has missed something: at once, or after the pause that a large tree needs.
      readSoon() {
        if (this.reading) { this.readsAgain = true; return; }
        clearTimeout(this.treeTimer);
        this.treeTimer = setTimeout(() => this.readTree(), this.nextReading - performance.now());
      }

      /// Aborts the reading of a tree that is not chosen any more: it may not answer for long.
      stopReading() {
        this.reading?.abort();
        this.reading = undefined;
        this.readsAgain = false;
      }

      /// Reads the part of a recording around a time.
      async readRecording(time) {
        // One request at a time: while the slider is dragged, only its last position is read next.
        if (this.isReadingRecording) { this.nextRecording = { time }; return; }
        const { tree } = this;
        if (tree === undefined) return;
        this.isReadingRecording = true;
        let part;
        let problem = "";
        try {
          part = await this.server.recording(tree, time === undefined ? undefined : time * 1e6);
        } catch (error) {
          problem = error.message;
        }
        this.isReadingRecording = false;
        const next = this.nextRecording;
        this.nextRecording = undefined;
        if (next) return this.readRecording(next.time);
        this.treeProblem = problem;
        if (part) this.takeRecording(part, time);
        this.draw();
      }

      /// Takes a part of the recording of the chosen tree, and shows a time of it.
      takeRecording(part, time) {
        this.history.takePart(part);
        this.problems.clear();
        this.counts.clear();
        for (const event of this.history.events) {
          this.counts.note(event);
          if (isProblem(event.kind)) this.problems.note(event);
        }
        this.lost = part.lostEvents;
        this.replay = null;
        const { from, to } = this.history.bounds;
        const contents = this.embedded?.contents;
        if (contents?.note) this.history.notes.push(printable(contents.note[0].toUpperCase() + contents.note.slice(1) + "."));
        const wanted = contents ? contents.time / 1e6 : time;
        const event = contents && this.history.events.find((event) => event.number === contents.number);
        if (event) this.setTime(event.time, event.sequence);
        else this.setTime(wanted === undefined ? to : Math.min(Math.max(wanted, from), to), contents?.number === undefined ? undefined : 0);
      }

      // Choosing

      /// Chooses a tree.
      choose(tree) {
        if (tree === this.tree) return;
        this.stopReading();
        this.tree = tree;
        this.selected = undefined;
        this.treeProblem = "";
        const history = this.history ?? new History();
        this.histories.delete(this.key(tree));
        this.histories.set(this.key(tree), history);
        while (this.histories.size > Page.histories) this.histories.delete(this.histories.keys().next().value);
        this.view.clear();
        this.goLive();
        this.trees.reveal();
        this.remember();
        this.follow();
        this.readTree();
        this.draw();
      }

      /// Selects a RIB.
      select(node) {
        this.selected = node;
        if (node !== undefined && this.view.state?.nodes.has(node) && this.view.indexOf(node) < 0) this.view.reveal(node);
        this.view.isDirty = true;
        this.draw();
      }

      /// Shows a view.
      show(view) {
        if (view === "trees" && !this.isNarrow) view = "tree";
        document.body.dataset.view = view;
        for (const tab of byID("tabs").querySelectorAll("[role=tab]")) {
          tab.setAttribute("aria-selected", tab.dataset.view === view);
          tab.tabIndex = tab.dataset.view === view ? 0 : -1;
        }
        this.remember();
        this.draw();
      }

      /// Keeps the choice in the address, for the next time that the page is loaded.
      remember() {
        if (!this.process) return;
        const choice = new URLSearchParams({ process: this.process, view: document.body.dataset.view });
        if (this.tree !== undefined) choice.set("tree", this.tree);
        history.replaceState(null, "", "#" + choice);
      }

      // Time

      /// Shows the tree as it was at a time: after all events up to it, or after those up to the one with a number.
      lookBack(time, sequence) {
        if (!this.history?.keyframes.length) return;
        this.timeline.isPlaying = false;
        this.setTime(time, sequence);
      }

      /// Whether a time lies outside the part of the recording that was read.
      isOutside(time) {
        const { bounds } = this.history;
        return bounds && (time < bounds.from || (time > bounds.to && bounds.to < bounds.end));
      }

      setTime(time, sequence) {
        const history = this.history;
        this.isLive = false;
        this.at = Math.min(Math.max(time, history.start), history.now());
        if (this.isOutside(this.at)) return this.readRecording(this.at);
        this.replay = history.stateAt(this.at, this.replay?.of === history ? this.replay : null, sequence);
        const last = Math.min(history.indexAfter(this.at), sequence === undefined ? Infinity : history.indexAfterSequence(sequence)) - 1;
        this.sequence = history.events[last]?.sequence ?? 0;
        if (this.replay) this.replay.of = history;
        this.view.marks.clear();
        this.view.ghosts.clear();
        this.view.ghostCount = 0;
        // What happened just before.
        for (let index = last; index >= 0; index--) {
          const event = history.events[index];
          if (event.time < this.at - 1000) break;
          const node = this.replay?.state.nodes.get(event.node);
          if (node && !this.view.marks.has(node.id)) this.view.note(event, node);
        }
        this.view.show(this.replay?.state ?? null);
        if (this.selected !== undefined) this.view.isDirty = true;
        this.draw();
      }

      /// Shows what happens now.
      goLive() {
        if (this.isRecording && this.history?.bounds) {
          this.timeline.isPlaying = false;
          return this.setTime(this.history.bounds.end);
        }
        this.isLive = true;
        this.replay = null;
        if (this.timeline) this.timeline.isPlaying = false;
        this.view.marks.clear();
        if (this.history?.state) this.view.show(this.history.state);
        this.draw();
      }

      // Drawing

      setProblem(text) {
        this.problemText = text;
      }

      noProcess() {
        const code = element("pre", "", "let inspector = try Inspector.start()\nlet session = await TreeHost(configuration: TreeConfiguration(inspector: inspector)) { … }");
        return empty("No process shows its trees",
          "Start an Inspector in your program, and pass it to its trees:", code,
          "Then start the program. It appears here by itself. To see one at once, run the demonstration in a clone of swift-ribs:",
          element("pre", "", "swift run taxi watch --inspect"));
      }

      /// Draws what has changed, with the next frame.
      draw() {
        if (this.isDue) return;
        this.isDue = true;
        requestAnimationFrame(() => {
          this.isDue = false;
          this.timeline.advance();
          const continues = this.view.expire();
          this.drawBar();
          this.trees.draw();
          switch (document.body.dataset.view) {
          case "tree": this.view.draw(); break;
          case "lifetimes": this.lifetimes.draw(); break;
          case "events": this.events.draw(); break;
          case "problems": this.problems.draw(); break;
          case "counts": this.counts.draw(); break;
          }
          this.details.draw();
          this.timeline.draw();
          if (this.timeline.isPlaying) this.draw();
          else if (continues) setTimeout(() => this.draw(), 100);
          else if (document.body.dataset.view === "lifetimes" && this.isLive) setTimeout(() => this.draw(), 50);
        });
      }

      drawBar() {
        const history = this.history;
        const set = (text, className) => {
          const status = byID("status");
          if (status.textContent !== text) status.textContent = text;
          if (status.className !== className) status.className = className;
        };
        if (this.problemText) set("no connection", "gone");
        else if (!this.process) set("waiting for a process", "");
        else if (this.isGone) set("the process has ended", "gone");
        else if (this.isRecording && !this.timeline.isPlaying) set("recording", "past");
        else if (!this.isLive) set(this.timeline.isPlaying ? "playing" : "looking back", "past");
        else if (history?.state?.hasEnded) set("the tree has ended", "gone");
        else if (this.isConnected) set("live", "live");
        else if (this.waitsForPlace) set("waiting for another page", "past");
        else set(this.tree === undefined && !this.followsAll ? "ready" : "connecting", "");
        const state = this.shownState;
        const numbers = [];
        if (state) numbers.push([number(state.nodes.size), state.nodes.size === 1 ? "RIB" : "RIBs"], [number(state.work), "running", "", "optional"]);
        if (this.process) {
          if (!this.isRecording) numbers.push([perSecond(this.counts.events.over(5)), "events/s", "", "optional"]);
          if (this.problems.count) numbers.push([number(this.problems.count), this.problems.count === 1 ? "problem" : "problems", "bad"]);
          if (this.lost) numbers.push([number(this.lost), "lost", "warn"]);
        }
        const signature = JSON.stringify(numbers);
        if (signature !== this.numbersSignature) {
          this.numbersSignature = signature;
          byID("numbers").replaceChildren(...numbers.map(([value, name, className = "", extra = ""]) =>
            element("div", className + " " + extra, element("dt", "", name), element("dd", "", value))));
        }
        const badge = byID("problem-badge");
        badge.hidden = !this.problems.count;
        const count = this.problems.count > 999 ? "999+" : String(this.problems.count);
        if (badge.textContent !== count) badge.textContent = count;
        const tree = this.trees.trees.get(this.tree);
        const title = tree ? tree.name : this.tree === undefined ? "" : "tree #" + this.tree;
        if (byID("tree-title").textContent !== title) byID("tree-title").textContent = title;
        const pageTitle = (this.problems.count ? "(" + count + ") " : "") + (this.processName ?? "RIBs");
        if (document.title !== pageTitle) document.title = pageTitle;
        const notice = byID("notice");
        const text = this.problemText || this.notice(history);
        notice.hidden = !text;
        notice.className = this.problemText || this.treeProblem || this.waitsForPlace ? "bad" : "";
        if (notice.textContent !== text) notice.textContent = text;
      }

      notice(history) {
        if (this.isGone) return "The process has ended. What you have seen of it stays here until you choose another one.";
        if (!this.isRecording && history?.state?.hasEnded) return "This tree has ended. Look back with the slider, or choose another tree.";
        if (this.treeProblem) return this.treeProblem;
        if (this.waitsForPlace) return "This page is open " + Page.followers + " times in this browser already, which opens no more connections. Close one of them to follow events here.";
        if (this.isRecording && history?.notes?.length) return history.notes.join(" ");
        if (!this.isLive && history?.lost) return number(history.lost) + " events were lost. Between the lost ones and the next reading, the tree may differ from what is shown.";
        return "";
      }

      /// A color of the style sheet, as the canvas needs it.
      color(name) {
        const known = this.colors.get(name);
        if (known) return known;
        const probe = element("span");
        probe.style.color = "var(" + name + ")";
        document.body.append(probe);
        const color = getComputedStyle(probe).color;
        probe.remove();
        this.colors.set(name, color);
        return color;
      }

      nextTheme() {
        const themes = ["auto", "light", "dark"];
        const theme = themes[(themes.indexOf(this.theme) + 1) % 3];
        this.setTheme(theme);
        try { localStorage.theme = theme; } catch { /* Kept for this page only. */ }
      }

      setTheme(theme) {
        this.theme = ["light", "dark"].includes(theme) ? theme : "auto";
        document.documentElement.className = this.theme === "auto" ? "" : this.theme;
        byID("theme").textContent = { auto: "Auto", light: "Light", dark: "Dark" }[this.theme];
        this.colors.clear();
        this.draw();
      }

      press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || byID("help").open) return;
        if (event.target.matches("input:not([type=checkbox]):not([type=range]), select")) return;
        switch (event.key) {
        case "/": this.view.search.focus(); this.view.search.select(); break;
        case "t": if (this.isNarrow) this.show("trees"); this.trees.search.focus(); break;
        case "?": byID("help").showModal(); break;
        case "p": this.timeline.toggle(); break;
        case "l": this.goLive(); break;
        case ",": this.timeline.step(-1); break;
        case ".": this.timeline.step(1); break;
        case "[": this.problems.step(-1); break;
        case "]": this.problems.step(1); break;
        case "1": case "2": case "3": case "4": case "5":
          this.show(["tree", "lifetimes", "events", "problems", "counts"][event.key - 1]);
          break;
        case "Escape": if (this.isLive) return; this.goLive(); break;
        case "ArrowLeft": case "ArrowRight": {
          // Between the tabs.
          if (event.target.getAttribute("role") !== "tab") return;
          const tabs = [...byID("tabs").querySelectorAll("[role=tab]")].filter((tab) => tab.offsetParent);
          const next = tabs[(tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : -1) + tabs.length) % tabs.length];
          this.show(next.dataset.view);
          next.focus();
          break;
        }
        default: return;
        }
        event.preventDefault();
      }
    }

    const page = new Page();
    page.start();
    """#
}
