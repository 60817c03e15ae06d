// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The RIBs of the chosen tree, now or at the time that the slider shows.
  static let treeView = #"""
    class TreeView {
      static deepestIndentation = 24;
      /// How long a detached RIB stays in view, and how many at once.
      static ghostTime = 1200;
      static ghosts = 100;

      constructor() {
        this.rows = new Rows(byID("tree"), 26, this);
        this.search = byID("search");
        this.filter = byID("filter");
        this.clear();
        this.search.addEventListener("input", () => { this.rows.box.scrollTop = 0; this.change(); });
        this.search.addEventListener("keydown", (event) => {
          if (event.key === "Escape") this.clearSearch();
          else if (event.key === "Enter" || event.key === "ArrowDown") this.rows.box.focus();
          else return;
          event.preventDefault();
        });
        this.filter.addEventListener("change", () => this.change());
        byID("unfold").addEventListener("click", () => { this.folded.clear(); this.change(); });
        byID("fold").addEventListener("click", () => {
          for (const node of this.state?.inOrder() ?? []) if (node.first) this.folded.add(node.id);
          this.change();
        });
        this.rows.onClick((index, event) => {
          const { node, isGhost } = this.shown[index];
          if (isGhost) return page.select(node.id);
          page.select(node.id);
          if (event.target.classList.contains("twist")) this.fold(node, !this.folded.has(node.id));
        });
        this.rows.box.addEventListener("dblclick", (event) => {
          const row = event.target.closest(".row");
          if (row && this.shown[row.index] && !event.target.classList.contains("twist")) {
            const { node } = this.shown[row.index];
            this.fold(node, !this.folded.has(node.id));
          }
        });
        this.rows.box.addEventListener("keydown", (event) => this.press(event));
      }

      /// Forgets the tree.
      clear() {
        this.state = null;
        this.shown = [];
        this.folded = new Set();
        this.hasFolded = false;
        this.marks = new Map();
        this.ghosts = new Map();
        this.ghostCount = 0;
        this.isDirty = true;
      }

      change() {
        this.isDirty = true;
        page.draw();
      }

      /// Shows a state of the tree.
      show(state) {
        this.state = state;
        this.isDirty = true;
        if (state && !this.hasFolded) {
          this.hasFolded = true;
          if (state.nodes.size > 500) for (const node of state.nodes.values()) if (node.level >= 3 && node.first) this.folded.add(node.id);
        }
      }

      /// Makes an event visible.
      note(event, node, previous) {
        const at = performance.now();
        this.isDirty = true;
        if (!node) return;
        switch (event.kind) {
        case "attached": case "activated":
          if (this.marks.get(node.id)?.kind !== "restarted") this.marks.set(node.id, { kind: "attached", at, until: at + 1400 });
          break;
        case "taskStarted": case "taskEnded": case "workerStarted": case "workerStopped": {
          const mark = this.marks.get(node.id);
          if (!mark || mark.kind === "work" || mark.until < at) this.marks.set(node.id, { kind: "work", at, until: at + 900 });
          break;
        }
        case "restarted": this.marks.set(node.id, { kind: "restarted", at, until: at + 8000 }); break;
        case "detached": {
          this.marks.delete(node.id);
          if (this.ghostCount >= TreeView.ghosts || !node.parent) return;
          const list = this.ghosts.get(node.parent.id) ?? [];
          list.push({ node, previous: previous?.id, until: at + TreeView.ghostTime });
          this.ghosts.set(node.parent.id, list);
          this.ghostCount++;
          break;
        }
        default:
          if (isProblem(event.kind)) this.marks.set(node.id, { kind: "failed", at, until: at + 8000 });
        }
      }

      /// Removes what was visible long enough. Returns whether anything is left to remove.
      expire() {
        const now = performance.now();
        for (const [id, mark] of this.marks) if (mark.until < now) { this.marks.delete(id); this.isDirty = true; }
        for (const [id, list] of this.ghosts) {
          const left = list.filter((ghost) => ghost.until >= now);
          if (left.length === list.length) continue;
          this.isDirty = true;
          this.ghostCount -= list.length - left.length;
          if (left.length) this.ghosts.set(id, left); else this.ghosts.delete(id);
        }
        return this.marks.size > 0 || this.ghosts.size > 0;
      }

      get isFiltered() { return this.search.value.trim() !== "" || this.filter.value !== ""; }

      matches(node, query, filter) {
        switch (filter) {
        case "working": if (!node.tasks.length && !node.workers.length) return false; break;
        case "restarted": if (!node.restarts && this.marks.get(node.id)?.kind !== "restarted") return false; break;
        case "troubled": if (!page.history?.ofNode.get(node.id)?.some((event) => isProblem(event.kind))) return false; break;
        case "": break;
        default: if (node.state !== filter) return false;
        }
        if (!query) return true;
        const has = (text) => text !== undefined && text.toLowerCase().includes(query);
        return has(node.name) || has(node.summary) || has(node.router) || has(node.interactor)
          || [...node.tasks, ...node.workers].some((work) => has(work.name)) || "#" + node.id === query;
      }

      /// Computes the rows: without a filter, all RIBs without a folded ancestor; with one, the matches and their
      /// ancestors.
      update() {
        this.isDirty = false;
        this.shown = [];
        this.query = this.search.value.trim().toLowerCase();
        this.found = null;
        const state = this.state;
        if (!state?.root) return;
        const addGhosts = (parent, previous) => {
          for (const ghost of this.ghosts.get(parent.id) ?? []) {
            if (ghost.previous === previous && !state.nodes.has(ghost.node.id)) this.shown.push({ node: ghost.node, isGhost: true });
          }
        };
        if (this.isFiltered) {
          const filter = this.filter.value;
          this.found = new Set();
          const kept = new Set();
          const order = state.inOrder();
          for (const node of order) {
            if (!this.matches(node, this.query, filter)) continue;
            this.found.add(node.id);
            for (let above = node; above && !kept.has(above); above = above.parent) kept.add(above);
          }
          for (const node of order) if (kept.has(node)) this.shown.push({ node });
          return;
        }
        const hasGhosts = this.ghosts.size > 0;
        let node = state.root;
        while (node) {
          this.shown.push({ node });
          const isFolded = this.folded.has(node.id);
          if (hasGhosts && !isFolded) addGhosts(node, undefined);
          let next = isFolded ? null : node.first;
          if (!next) {
            while (node && !node.next) {
              if (hasGhosts && node.parent) addGhosts(node.parent, node.id);
              node = node.parent;
            }
            if (hasGhosts && node?.parent) addGhosts(node.parent, node.id);
            next = node?.next ?? null;
          }
          node = next;
        }
      }

      get length() { return this.shown.length; }

      row(index) {
        const { node, isGhost } = this.shown[index];
        const isBeside = this.found && !this.found.has(node.id);
        const mark = isGhost ? undefined : this.marks.get(node.id);
        const isOpen = this.found ? this.shown[index + 1]?.node.parent === node : !this.folded.has(node.id);
        const twist = node.first && !isGhost ? isOpen ? " open" : " closed" : "";
        const cells = [];
        const depth = Math.min(node.level, TreeView.deepestIndentation);
        for (let level = 0; level < depth; level++) cells.push(["guide", ""]);
        cells.push(["twist" + twist, ""]);
        if (node.level > depth) cells.push(["level", "level " + node.level]);
        cells.push(["dot " + (isGhost ? "inactive" : node.state), "", isGhost ? "detached" : node.state]);
        cells.push(["name", node.name, undefined, "marked"]);
        if (isGhost) cells.push(["chip", "detached"]);
        else {
          if (node.state !== "active") cells.push(["chip warn", node.state]);
          if (mark?.kind === "failed") cells.push(["chip bad", "failed"]);
          if (mark?.kind === "restarted" && !node.restarts) cells.push(["chip warn", "restarted"]);
          if (node.since !== undefined) cells.push(["chip", wholeAge(page.time - node.since)]);
          if (node.tasks.length) cells.push(["chip work", counted(node.tasks.length, "task"), names(node.tasks)]);
          if (node.workers.length) cells.push(["chip work", counted(node.workers.length, "worker"), names(node.workers)]);
          if (node.subscriptions) cells.push(["chip", counted(node.subscriptions, "subscription")]);
          if (node.restarts) cells.push(["chip warn", "restarted " + node.restarts.made + " of " + node.restarts.limit]);
          if (twist === " closed") cells.push(["chip", number(this.below(node)) + " below"]);
          if (node.summary !== undefined) cells.push(["summary", node.summary, node.summary, "marked"]);
        }
        const className = (isGhost ? "gone" : mark ? mark.kind : "") + (isBeside ? " beside" : "");
        return {
          key: (isGhost ? "gone " : "") + node.id, className, cells, mark: mark?.at, query: this.query,
          attributes: {
            role: "treeitem", "aria-level": node.level + 1, "aria-selected": !isGhost && node.id === page.selected,
            "aria-expanded": twist ? isOpen : undefined, "data-rib": node.name,
          },
        };
      }

      /// The number of RIBs below one.
      below(node) {
        let count = 0;
        const end = this.state.after(node, true);
        for (let below = this.state.after(node); below && below !== end; below = this.state.after(below)) count++;
        return count;
      }

      none() {
        if (page.problemText) return element("div");
        if (this.found) return empty("Nothing found", "No RIB of this tree matches. Esc clears the search and the filter.");
        if (page.tree !== undefined) return empty("Reading the tree …");
        if (!page.process) return page.noProcess();
        return page.trees.trees.size
          ? empty("Choose a tree", "Its RIBs are shown here, as they are attached and detached.")
          : empty("No trees", "The process shows its trees, and has none now. They appear here when they are launched.");
      }

      draw() {
        if (this.isDirty) this.update();
        this.rows.draw();
      }

      indexOf(id) { return this.shown.findIndex((row) => row.node.id === id && !row.isGhost); }

      /// Unfolds the ancestors of a RIB, and scrolls to it.
      reveal(id) {
        const node = this.state?.nodes.get(id);
        if (!node) return;
        if (this.found && !this.found.has(id)) { this.search.value = ""; this.filter.value = ""; }
        for (let above = node.parent; above; above = above.parent) this.folded.delete(above.id);
        this.update();
        this.rows.show(this.indexOf(id));
        page.draw();
      }

      fold(node, isFolded) {
        if (this.found || !node.first) return;
        if (isFolded) this.folded.add(node.id); else this.folded.delete(node.id);
        this.change();
      }

      clearSearch() {
        this.search.value = "";
        this.filter.value = "";
        this.change();
        if (page.selected !== undefined) this.reveal(page.selected);
        this.rows.box.focus();
      }

      press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const index = this.indexOf(page.selected);
        const node = this.shown[index]?.node;
        const isOpen = node?.first && !this.folded.has(node.id);
        switch (event.key) {
        case "ArrowRight":
          if (node && isOpen) this.go(index + 1); else if (node) this.fold(node, false);
          break;
        case "ArrowLeft":
          if (isOpen && !this.found) this.fold(node, true);
          else if (node?.parent) this.go(this.indexOf(node.parent.id));
          break;
        case "Enter": case " ": if (node) this.fold(node, isOpen); break;
        case "Escape": this.clearSearch(); break;
        default: {
          const target = this.rows.target(event.key, index);
          if (target === undefined) return;
          this.go(target, event.key === "ArrowUp" ? -1 : 1);
        }
        }
        event.preventDefault();
      }

      /// Selects the row at an index, or the next one that is no ghost.
      go(index, step = 1) {
        while (this.shown[index]?.isGhost) index += step;
        if (!this.shown[index]) return;
        page.select(this.shown[index].node.id);
        this.rows.show(index);
      }
    }
    """#
}
