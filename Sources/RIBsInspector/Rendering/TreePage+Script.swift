// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreePage {
  /// Draws the tree. It creates elements and text nodes only, never markup from the tree's content.
  static let script = #"""
    "use strict";
    (() => {
      const byID = (id) => document.getElementById(id);
      const nodes = JSON.parse(byID("snapshot").textContent).nodes;
      const hidden = JSON.parse(byID("hidden").textContent);
      const [tree, rows, details, search, state, working, count] =
        ["tree", "rows", "details", "search", "state", "working", "count"].map(byID);
      const rowHeight = 28;
      const deepestIndentation = 40;

      // Computed once: levels, ends of subtrees, and searchable text.
      const level = new Int32Array(nodes.length);
      const end = new Int32Array(nodes.length);
      const folded = new Uint8Array(nodes.length);
      const printable = (text) => text.replace(
        /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
        (character) => "\\u{" + character.codePointAt(0).toString(16).toUpperCase() + "}");
      nodes.forEach((node, index) => {
        level[index] = node.parent === undefined ? 0 : level[node.parent] + 1;
        node.name = printable(node.name + (node.label === undefined ? "" : " " + node.label));
        node.tasks ||= [];
        node.workers ||= [];
        if (node.summary !== undefined) node.summary = printable(node.summary);
        node.words = [node.name, node.router, node.interactor, node.summary || "", ...node.tasks, ...node.workers,
          node.id === undefined ? "" : "#" + node.id].join("\n").toLowerCase();
      });
      for (let index = nodes.length - 1; index >= 0; index--) {
        end[index] = Math.max(end[index], index + 1);
        const parent = nodes[index].parent;
        if (parent !== undefined) end[parent] = Math.max(end[parent], end[index]);
      }
      const hasChildren = (index) => end[index] > index + 1;
      if (nodes.length > 500) {
        nodes.forEach((_, index) => { if (level[index] >= 3 && hasChildren(index)) folded[index] = 1; });
      }

      let visible = [];
      let found = null;
      let chosen = nodes.length ? 0 : -1;

      /// Computes the visible rows: without a filter, all RIBs without a folded ancestor; with one, the matches and
      /// their ancestors.
      function update() {
        const query = search.value.trim().toLowerCase();
        const isFiltered = query !== "" || state.value !== "" || working.checked;
        visible = [];
        found = null;
        if (isFiltered) {
          found = new Uint8Array(nodes.length);
          const shown = new Uint8Array(nodes.length);
          let matches = 0;
          nodes.forEach((node, index) => {
            if (query !== "" && !node.words.includes(query)) return;
            if (state.value !== "" && node.state !== state.value) return;
            if (working.checked && !node.tasks.length && !node.workers.length) return;
            matches++;
            found[index] = 1;
            for (let above = index; above !== undefined && !shown[above]; above = nodes[above].parent) shown[above] = 1;
          });
          for (let index = 0; index < nodes.length; index++) if (shown[index]) visible.push(index);
          count.textContent = matches.toLocaleString("en") + " of " + nodes.length.toLocaleString("en") + " RIBs";
        } else {
          for (let index = 0; index < nodes.length; index = folded[index] ? end[index] : index + 1) visible.push(index);
          count.textContent = nodes.length.toLocaleString("en") + (nodes.length === 1 ? " RIB" : " RIBs");
        }
        rows.style.height = visible.length * rowHeight + "px";
        if (visible.length && position(chosen) < 0) choose(nearest(chosen), false);
        draw();
      }

      /// The row of a RIB, by binary search; -1 if it has none.
      function position(index) {
        const place = placeOf(index);
        return visible[place] === index ? place : -1;
      }

      function placeOf(index) {
        let [low, high] = [0, visible.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (visible[middle] < index) low = middle + 1; else high = middle;
        }
        return low;
      }

      /// The RIB to select when the selected one has no row: the first match, or the nearest visible ancestor.
      function nearest(index) {
        if (found) return visible.find((candidate) => found[candidate]);
        for (let above = index; above !== undefined && above >= 0; above = nodes[above].parent) {
          if (position(above) >= 0) return above;
        }
        return visible[0];
      }

      function element(kind, className, text) {
        const made = document.createElement(kind);
        if (className) made.className = className;
        if (text !== undefined) made.textContent = text;
        return made;
      }

      /// Appends a text with the first match of the search highlighted.
      function appendMarked(parent, text) {
        const query = search.value.trim().toLowerCase();
        const start = query === "" ? -1 : text.toLowerCase().indexOf(query);
        if (start < 0) return parent.append(text);
        parent.append(text.slice(0, start), element("mark", "", text.slice(start, start + query.length)),
          text.slice(start + query.length));
      }

      function age(nanoseconds) {
        if (nanoseconds === undefined) return "";
        const seconds = Math.floor(nanoseconds / 1e9);
        if (seconds < 1 && nanoseconds > 0) return Math.floor(nanoseconds / 1e6) + "ms";
        const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit));
        if (days) return days + "d " + hours % 24 + "h";
        if (hours) return hours + "h " + minutes % 60 + "m";
        if (minutes) return minutes + "m " + seconds % 60 + "s";
        return seconds + "s";
      }

      const counted = (number, noun) => number + " " + noun + (number === 1 ? "" : "s");
      const restarts = (node) => node.restarts.made + " of " + node.restarts.limit;

      /// A wall time in microseconds since 1970.
      function time(microseconds) {
        const date = new Date(microseconds / 1000);
        return isNaN(date) ? microseconds + "µs" : date.toISOString().replace(".000Z", "Z");
      }

      function row(place) {
        const index = visible[place];
        const node = nodes[index];
        const made = element("div", "row" + (found && !found[index] ? " beside" : ""));
        made.id = "rib" + index;
        made.dataset.index = index;
        made.style.top = place * rowHeight + "px";
        made.style.paddingLeft = 8 + Math.min(level[index], deepestIndentation) * 18 + "px";
        made.setAttribute("role", "treeitem");
        made.setAttribute("aria-level", level[index] + 1);
        made.setAttribute("aria-selected", index === chosen);
        const isOpen = found ? visible[place + 1] < end[index] : !folded[index];
        if (hasChildren(index)) made.setAttribute("aria-expanded", isOpen);
        made.append(element("span", "twist" + (hasChildren(index) ? isOpen ? " open" : " closed" : "")));
        if (level[index] > deepestIndentation) made.append(element("span", "level", "level " + level[index]));
        const dot = element("span", "dot " + node.state);
        dot.title = node.state;
        made.append(dot);
        const name = element("span", "name");
        appendMarked(name, node.name);
        made.append(name);
        if (node.state !== "active") made.append(element("span", "chip", node.state));
        if (node.ageNanoseconds !== undefined) made.append(element("span", "chip", age(node.ageNanoseconds)));
        if (node.tasks.length) made.append(element("span", "chip work", counted(node.tasks.length, "task")));
        if (node.workers.length) made.append(element("span", "chip work", counted(node.workers.length, "worker")));
        if (node.wakes !== undefined) made.append(element("span", "chip work", "sleeps until " + time(node.wakes)));
        if (node.subscriptions) made.append(element("span", "chip", counted(node.subscriptions, "subscription")));
        if (node.restarts) made.append(element("span", "chip work", "restarts " + restarts(node)));
        if (hidden[index]) made.append(element("span", "chip", hidden[index] + " more below"));
        else if (hasChildren(index) && !isOpen) {
          made.append(element("span", "chip", (end[index] - index - 1).toLocaleString("en") + " below"));
        }
        if (node.summary !== undefined) {
          const summary = element("span", "summary");
          appendMarked(summary, node.summary);
          summary.title = node.summary;
          made.append(summary);
        }
        return made;
      }

      /// Draws the visible rows, and some above and below.
      function draw() {
        const first = Math.max(0, Math.floor(tree.scrollTop / rowHeight) - 10);
        const last = Math.min(visible.length, Math.ceil((tree.scrollTop + tree.clientHeight) / rowHeight) + 10);
        const drawn = document.createDocumentFragment();
        for (let place = first; place < last; place++) drawn.append(row(place));
        if (!visible.length) drawn.append(element("p", "none", nodes.length ? "Nothing found." : "There are no RIBs."));
        rows.replaceChildren(drawn);
        if (position(chosen) >= 0) tree.setAttribute("aria-activedescendant", "rib" + chosen);
        else tree.removeAttribute("aria-activedescendant");
      }

      function choose(index, draws = true) {
        chosen = index;
        const place = position(index);
        if (place >= 0) {
          const top = place * rowHeight;
          if (top < tree.scrollTop) tree.scrollTop = top;
          if (top + rowHeight > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + rowHeight - tree.clientHeight;
        }
        describe();
        if (draws) draw();
      }

      /// Shows the details of the selected RIB.
      function describe() {
        details.replaceChildren();
        const node = nodes[chosen];
        if (!node) return;
        const path = [];
        for (let above = chosen; above !== undefined; above = nodes[above].parent) path.unshift(nodes[above].name);
        details.append(element("h2", "", node.name), element("p", "path", path.slice(-64).join(" / ")));
        const list = element("dl");
        const add = (term, values, className) => {
          if (!values.length) return;
          list.append(element("dt", "", term));
          const description = element("dd", className);
          values.forEach((value) => description.append(element("div", "", printable(String(value)))));
          list.append(description);
        };
        add("State", [node.state]);
        if (node.ageNanoseconds !== undefined) add("Active for", [age(node.ageNanoseconds)]);
        if (node.summary !== undefined) add("Summary", [node.summary]);
        add("Router", [node.router], "code");
        add("Interactor", [node.interactor], "code");
        add("View", [node.hasView ? "yes" : "no"]);
        add("Tasks", node.tasks, "code");
        add("Workers", node.workers, "code");
        if (node.wakes !== undefined) add("Sleeps until", [time(node.wakes)]);
        add("Subscriptions", [node.subscriptions]);
        if (node.restarts) add("Restarts", [restarts(node)]);
        let children = 0;
        for (let below = chosen + 1; below < end[chosen]; below = end[below]) children++;
        add("Children", [children]);
        add("RIBs below", [end[chosen] - chosen - 1 + (hidden[chosen] || 0)]);
        if (node.id !== undefined) add("Id", ["#" + node.id]);
        details.append(list);
      }

      function fold(index, isFolded) {
        if (found || !hasChildren(index)) return;
        folded[index] = isFolded ? 1 : 0;
        update();
      }

      function foldAll(isFolded) {
        nodes.forEach((_, index) => { folded[index] = isFolded && hasChildren(index) ? 1 : 0; });
        update();
      }

      tree.addEventListener("click", (event) => {
        const target = event.target.closest(".row");
        if (!target) return;
        const index = Number(target.dataset.index);
        choose(index);
        if (event.target.classList.contains("twist")) fold(index, !folded[index]);
      });
      tree.addEventListener("dblclick", (event) => {
        if (event.target.closest(".row") && !event.target.classList.contains("twist")) fold(chosen, !folded[chosen]);
      });
      tree.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !visible.length) return;
        const place = position(chosen);
        const page = Math.max(1, Math.floor(tree.clientHeight / rowHeight) - 1);
        const go = (to) => choose(visible[Math.min(Math.max(to, 0), visible.length - 1)]);
        const parent = nodes[chosen].parent;
        const isOpen = found ? visible[place + 1] < end[chosen] : hasChildren(chosen) && !folded[chosen];
        switch (event.key) {
        case "ArrowDown": go(place + 1); break;
        case "ArrowUp": go(place - 1); break;
        case "PageDown": go(place + page); break;
        case "PageUp": go(place - page); break;
        case "Home": go(0); break;
        case "End": go(visible.length - 1); break;
        case "ArrowRight": if (isOpen) go(place + 1); else fold(chosen, false); break;
        case "ArrowLeft": if (isOpen && !found) fold(chosen, true); else if (parent !== undefined) choose(parent); break;
        case "Enter": case " ": fold(chosen, !folded[chosen]); break;
        case "Escape": clear(); break;
        default: return;
        }
        event.preventDefault();
      });
      search.addEventListener("keydown", (event) => {
        if (event.key === "Escape") clear();
        else if (event.key === "Enter" || event.key === "ArrowDown") tree.focus();
        else return;
        event.preventDefault();
      });
      document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.matches("input, select")) return;
        event.preventDefault();
        search.focus();
        search.select();
      });

      /// Clears the search and unfolds the ancestors of the selected RIB, so that it stays visible.
      function clear() {
        search.value = "";
        state.value = "";
        working.checked = false;
        for (let above = chosen < 0 ? undefined : nodes[chosen].parent; above !== undefined; above = nodes[above].parent) {
          folded[above] = 0;
        }
        update();
        if (chosen >= 0) choose(chosen);
        tree.focus();
      }

      search.addEventListener("input", () => { tree.scrollTop = 0; update(); });
      state.addEventListener("change", update);
      working.addEventListener("change", update);
      byID("unfold").addEventListener("click", () => foldAll(false));
      byID("fold").addEventListener("click", () => foldAll(true));
      let isDue = false;
      tree.addEventListener("scroll", () => {
        if (isDue) return;
        isDue = true;
        requestAnimationFrame(() => { isDue = false; draw(); });
      });
      addEventListener("resize", draw);
      update();
      describe();
    })();
    """#
}
