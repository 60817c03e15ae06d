// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The events of the chosen tree, and the problems of all trees that are followed.
  static let eventViews = #"""
    class EventsView {
      constructor() {
        this.rows = new Rows(byID("events"), 26, this);
        this.kinds = byID("kinds");
        this.onlyRIB = byID("only-rib");
        this.shown = [];
        this.chosen = undefined;
        for (const control of [this.kinds, this.onlyRIB]) control.addEventListener("change", () => page.draw());
        this.rows.onClick((index) => this.choose(this.at(index)));
        this.rows.box.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const target = this.rows.target(event.key, this.indexOf(this.chosen));
          if (target === undefined || !this.length) return;
          event.preventDefault();
          this.choose(this.at(target));
          this.rows.show(target);
        });
      }

      /// Selects the RIB of an event, and looks back at its time.
      choose(event) {
        if (!event) return;
        this.chosen = event.sequence;
        if (event.node !== undefined) page.select(event.node);
        page.lookBack(event.time, event.sequence);
      }

      at(index) { return this.shown[this.length - 1 - index]; }
      indexOf(sequence) {
        const index = this.shown.findIndex((event) => event.sequence === sequence);
        return index < 0 ? -1 : this.length - 1 - index;
      }

      get length() { return this.shown.length; }

      row(index) {
        const event = this.at(index);
        return {
          key: event.sequence, className: "", query: "",
          cells: [
            ["when", clock(event.time)], ["kind " + tone(event.kind), title(event.kind)],
            ["rib", event.name, event.path.join(" / ")], ["path", parents(event), event.path.join(" / ")],
            ["rest", detail(event), detail(event)],
          ],
          attributes: { role: "option", "aria-selected": event.sequence === this.chosen },
        };
      }

      none() {
        if (!page.history) return empty("No tree", "Choose a tree to see its events.");
        return empty("No events", page.history.events.length
          ? "No event passes the filter."
          : page.isRecording ? "The recording has no events of this tree."
          : "Nothing has happened in this tree since the page was opened. Events appear here as they happen.");
      }

      /// The events that pass the filter. Those that passed it before are not looked at again.
      filtered(all, query, kind) {
        const passes = (event) => (!kind || group(event.kind) === kind)
          && (!query || (event.path.join("/") + " " + event.kind + " " + detail(event)).toLowerCase().includes(query));
        const known = this.known;
        const isSame = known && known.query === query && known.kind === kind && known.first === all[0]
          && all[known.count - 1] === known.last;
        const passed = isSame ? known.passed.slice() : [];
        for (let index = isSame ? known.count : 0; index < all.length; index++) if (passes(all[index])) passed.push(all[index]);
        this.known = { query, kind, passed, first: all[0], last: all[all.length - 1], count: all.length };
        return passed;
      }

      draw() {
        const { history } = page;
        const query = page.view.search.value.trim().toLowerCase();
        const kind = this.kinds.value;
        const isOfRIB = this.onlyRIB.checked && page.selected !== undefined;
        const all = (isOfRIB ? history?.ofNode.get(page.selected) : history?.events) ?? [];
        const events = query || kind ? this.filtered(all, query, kind) : all.slice();
        // A reader who has scrolled keeps the same rows in view.
        const added = events.length - this.shown.length;
        const last = this.shown[this.shown.length - 1];
        if (this.rows.box.scrollTop > 0 && added > 0 && last && events[events.length - 1 - added]?.sequence === last.sequence) {
          this.rows.sizer.style.height = events.length * this.rows.height + "px";
          this.rows.box.scrollTop += added * this.rows.height;
        }
        this.shown = events;
        byID("event-count").textContent = counted(events.length, "event") + (history?.lost ? ", " + number(history.lost) + " lost" : "");
        this.rows.draw();
      }
    }

    class ProblemsView {
      static limit = 2000;

      constructor() {
        this.problems = [];
        this.groups = new Map();
        this.rows = new Rows(byID("problems"), 46, this);
        this.rows.onClick((index) => this.choose(index));
        this.rows.box.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const target = this.rows.target(event.key, this.shown.findIndex((group) => group === this.chosen));
          if (target === undefined || !this.length) return;
          event.preventDefault();
          this.choose(target);
          this.rows.show(target);
        });
        this.shown = [];
        this.count = 0;
      }

      clear() {
        this.groups.clear();
        this.shown = [];
        this.count = 0;
      }

      /// Adds a problem. Equal ones of a RIB are one row, with their number.
      note(event) {
        this.count++;
        const key = [event.kind, event.path.join("/"), event.message, event.work].join("\u0000");
        const group = this.groups.get(key) ?? { key, count: 0 };
        group.count++;
        group.last = event;
        // The latest last.
        this.groups.delete(key);
        this.groups.set(key, group);
        if (this.groups.size > ProblemsView.limit) this.groups.delete(this.groups.keys().next().value);
      }

      choose(index) {
        const group = this.shown[index];
        if (!group) return;
        this.chosen = group;
        const { last } = group;
        if (last.tree !== page.tree) page.choose(last.tree);
        if (last.node !== undefined) page.select(last.node);
        if (page.history?.events.includes(last)) page.lookBack(last.time, last.sequence);
        page.draw();
      }

      /// Looks at the next problem of the tree, or the one before.
      step(direction) {
        const problems = page.history?.problems ?? [];
        const now = page.isLive ? Infinity : page.sequence;
        const event = direction > 0 ? problems.find((event) => event.sequence > now) : problems.findLast((event) => event.sequence < now);
        if (!event) return;
        if (event.node !== undefined) page.select(event.node);
        page.lookBack(event.time, event.sequence);
      }

      get length() { return this.shown.length; }

      row(index) {
        const group = this.shown[index];
        const { last } = group;
        const tree = page.trees.trees.get(last.tree);
        return {
          key: group.key, className: "", query: "",
          cells: [
            ["when", clock(last.time), "Since the launch of the tree"], ["kind bad", title(last.kind)],
            ["rib", last.name + (last.path.length > 1 ? "  in  " + parents(last) : ""), last.path.join(" / ")],
            ["chip", (tree ? tree.name : "tree") + " #" + last.tree], ["chip bad", group.count > 1 ? "× " + number(group.count) : ""],
            ["rest", detail(last) || "No message.", detail(last)],
          ],
          attributes: { role: "option", "aria-selected": group === this.chosen },
          arrange: (made) => {
            const [when, kind, path, tree, count, rest] = made.children;
            made.replaceChildren(when, kind, element("div", "two", path, rest), count, tree);
          },
        };
      }

      none() {
        if (page.isRecording) return empty("No problems", page.isPart
          ? "This part of the recording has no failures, misuse or leaks."
          : "The recording of this tree has no failures, misuse or leaks.");
        return empty("No problems", page.process
          ? "Failures, misuse and leaks of " + (page.followsAll ? "all trees of the process" : "the chosen tree") + " are listed here, from when the page was opened."
          : "Failures, misuse and leaks are listed here.");
      }

      draw() {
        this.shown = [...this.groups.values()].reverse();
        this.rows.draw();
      }
    }
    """#
}
