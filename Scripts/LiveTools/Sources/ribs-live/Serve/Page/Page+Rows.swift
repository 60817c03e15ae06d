// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// A list of which only the visible rows are in the document.
  static let rows = #"""
    class Rows {
      /// The source has `length`, `row(index)` and `none()`. A row has a `key`, a `className`, `cells` (class, text, and
      /// optionally a title), `attributes`, and optionally a `mark`, the time at which its animation began.
      constructor(box, height, source) {
        this.box = box;
        this.height = height;
        this.source = source;
        this.sizer = element("div", "sizer");
        this.box.append(this.sizer);
        this.elements = new Map();
        this.chosen = -1;
        box.addEventListener("scroll", () => page.draw());
      }

      get page() { return Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1); }

      draw() {
        const count = this.source.length;
        const isEmpty = count === 0;
        if (isEmpty) {
          const none = this.source.none();
          const text = none.textContent;
          if (this.sizer.firstChild?.textContent !== text || this.elements.size) this.sizer.replaceChildren(none);
          this.sizer.style.height = "auto";
          this.elements.clear();
          this.box.removeAttribute("aria-activedescendant");
          return;
        }
        if (!this.elements.size) this.sizer.replaceChildren();
        this.sizer.style.height = count * this.height + "px";
        const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 6);
        const last = Math.min(count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + 6);
        const before = this.elements;
        this.elements = new Map();
        this.chosen = -1;
        for (let index = first; index < last; index++) {
          const row = this.source.row(index);
          const made = before.get(row.key) ?? this.make();
          before.delete(row.key);
          this.elements.set(row.key, made);
          this.fill(made, row, index);
          if (row.attributes?.["aria-selected"]) this.chosen = index;
          if (!made.isConnected) this.sizer.append(made);
        }
        for (const left of before.values()) left.remove();
        const active = [...this.elements.values()].find((made) => made.getAttribute("aria-selected") === "true");
        if (active) this.box.setAttribute("aria-activedescendant", active.id);
        else this.box.removeAttribute("aria-activedescendant");
      }

      make() {
        const made = element("div", "row");
        made.id = this.box.id + "-" + (Rows.count = (Rows.count ?? 0) + 1);
        return made;
      }

      fill(made, row, index) {
        made.index = index;
        const top = index * this.height + "px";
        if (made.style.top !== top) made.style.top = top;
        const className = "row " + row.className;
        if (made.className !== className) {
          made.className = className;
          made.mark = undefined;
        }
        if (row.mark !== undefined && made.mark !== row.mark) {
          made.mark = row.mark;
          const elapsed = performance.now() - row.mark;
          for (const animation of made.getAnimations()) animation.currentTime = elapsed;
        }
        for (const [name, value] of Object.entries(row.attributes ?? {})) {
          const text = value === undefined ? null : String(value);
          if (made.getAttribute(name) === text) continue;
          if (text === null) made.removeAttribute(name); else made.setAttribute(name, text);
        }
        const signature = (row.query ?? "") + "\u0000" + row.cells.map((cell) => cell.join("\u0001")).join("\u0000");
        if (made.signature === signature) return;
        made.signature = signature;
        made.replaceChildren(...row.cells.map(([className, text, hint, tag]) => {
          const cell = element("span", className);
          if (tag === "marked") appendMarked(cell, text, row.query); else if (text) cell.append(text);
          if (hint) cell.title = hint;
          return cell;
        }));
        row.arrange?.(made);
      }

      /// Scrolls so that a row is visible.
      show(index) {
        if (index < 0) return;
        this.sizer.style.height = this.source.length * this.height + "px";
        const top = index * this.height;
        const height = this.box.clientHeight;
        if (top < this.box.scrollTop) this.box.scrollTop = top;
        else if (top + this.height > this.box.scrollTop + height) this.box.scrollTop = top + this.height - height;
      }

      /// The index that a key of the keyboard moves to; undefined if it moves nothing.
      target(key, index) {
        const last = this.source.length - 1;
        const go = (to) => Math.min(Math.max(to, 0), last);
        switch (key) {
        case "ArrowDown": return go(index + 1);
        case "ArrowUp": return go(index < 0 ? 0 : index - 1);
        case "PageDown": return go(index + this.page);
        case "PageUp": return go(index - this.page);
        case "Home": return go(0);
        case "End": return last;
        }
      }

      /// Calls back with the index of a row that is clicked.
      onClick(act) {
        this.box.addEventListener("click", (event) => {
          const row = event.target.closest(".row");
          if (row && this.sizer.contains(row)) act(row.index, event);
        });
      }
    }
    """#
}
