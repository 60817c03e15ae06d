// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The trees of the process.
  static let treesPane = #"""
    class TreesPane {
      constructor() {
        this.trees = new Map();
        this.version = undefined;
        this.shown = [];
        this.isDirty = true;
        /// The time of the last event of each tree, and of its last problem.
        this.activity = new Map();
        this.rows = new Rows(byID("trees"), 42, this);
        this.search = byID("tree-search");
        this.search.addEventListener("input", () => { this.isDirty = true; page.draw(); });
        this.search.addEventListener("keydown", (event) => {
          if (event.key === "Escape") { this.search.value = ""; this.isDirty = true; page.draw(); }
          else if (event.key === "Enter" && this.shown.length) page.choose(this.shown[0].id);
          if (["Enter", "ArrowDown", "Escape"].includes(event.key)) { event.preventDefault(); this.rows.box.focus(); }
        });
        this.rows.onClick((index) => {
          page.choose(this.shown[index].id);
          if (page.isNarrow) page.show("tree");
        });
        this.rows.box.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const index = this.shown.findIndex((tree) => tree.id === page.tree);
          if (event.key === "Enter") {
            if (page.isNarrow) page.show("tree");
            byID("tree").focus();
            return event.preventDefault();
          }
          const target = this.rows.target(event.key, index);
          if (target === undefined || !this.shown[target]) return;
          event.preventDefault();
          page.choose(this.shown[target].id);
          this.rows.show(target);
        });
      }

      clear() {
        this.trees.clear();
        this.activity.clear();
        this.version = undefined;
        this.isDirty = true;
      }

      /// Takes an answer of the server: all trees, or the changes since the last one.
      take(answer) {
        const add = (tree) => {
          const name = printable(tree.name);
          const labels = Object.entries(tree.labels ?? {}).map(([key, value]) => printable(key + "=" + value)).sort().join(" ");
          this.trees.set(tree.id, { id: tree.id, name, labels, launched: tree.launched, age: tree.age, words: (name + "\n" + labels + "\n#" + tree.id).toLowerCase() });
        };
        if (answer.trees) {
          this.trees.clear();
          answer.trees.forEach(add);
          this.isDirty = true;
        } else {
          for (const id of answer.ended) { this.trees.delete(id); this.activity.delete(id); }
          answer.added.forEach(add);
          if (answer.ended.length || answer.added.length) this.isDirty = true;
        }
        this.version = answer.version;
        // A tree that has ended between two readings is in no list.
        const oldest = performance.now() - 60000;
        for (const [id, activity] of this.activity) {
          if (activity.at < oldest && !this.trees.has(id)) this.activity.delete(id);
        }
      }

      note(event) {
        const activity = this.activity.get(event.tree) ?? {};
        activity.at = performance.now();
        if (isProblem(event.kind)) activity.problems = (activity.problems ?? 0) + 1;
        this.activity.set(event.tree, activity);
      }

      get length() { return this.shown.length; }

      row(index) {
        const tree = this.shown[index];
        const activity = this.activity.get(tree.id);
        const isBusy = activity && performance.now() - activity.at < 1500;
        const cells = [
          ["name", tree.name, tree.name, "marked"], ["chip push", "#" + tree.id],
          ["chip", wholeAge(tree.age ?? Math.max(0, Math.floor((Date.now() - tree.launched) / 1000) * 1000))],
          ["chip", tree.labels, tree.labels],
          activity?.problems ? ["chip bad push", counted(activity.problems, "problem")] : isBusy ? ["chip work push", "busy"] : ["chip", ""],
        ];
        return {
          key: tree.id, className: "", cells, query: this.query,
          attributes: { role: "option", "aria-selected": tree.id === page.tree },
          // Two lines.
          arrange: (made) => {
            const parts = [...made.children];
            made.replaceChildren(element("div", "line", ...parts.slice(0, 2)), element("div", "line", parts[3], parts[4], parts[2]));
            if (!parts[3].textContent) parts[3].remove();
            if (!parts[4].textContent) { parts[4].remove(); parts[2].classList.add("push"); }
          },
        };
      }

      none() {
        if (!page.process) return element("div");
        return this.trees.size
          ? empty("No such tree", "No name, label or number contains this text. Esc clears the search.")
          : empty("No trees", "The process shows no tree now. Trees appear here when they are launched.");
      }

      /// Scrolls to the chosen tree.
      reveal() { this.isRevealing = true; }

      draw() {
        if (this.isDirty) {
          this.isDirty = false;
          this.query = this.search.value.trim().toLowerCase();
          const all = [...this.trees.values()];
          this.shown = this.query ? all.filter((tree) => tree.words.includes(this.query)) : all;
        }
        byID("tree-count").textContent = this.query
          ? number(this.shown.length) + " of " + number(this.trees.size) : number(this.trees.size);
        if (this.isRevealing) {
          this.isRevealing = false;
          this.rows.show(this.shown.findIndex((tree) => tree.id === page.tree));
        }
        this.rows.draw();
      }
    }
    """#
}
