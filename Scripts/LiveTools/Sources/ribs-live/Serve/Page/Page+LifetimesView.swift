// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// Which RIBs lived when: a bar for each time that a RIB was active, below the bar of its parent.
  static let lifetimesView = #"""
    /// A queue from which the smallest value is taken first.
    class Heap {
      constructor(compare) {
        this.compare = compare;
        this.values = [];
      }

      get first() { return this.values[0]; }

      push(value) {
        const { values } = this;
        let index = values.push(value) - 1;
        while (index > 0) {
          const above = (index - 1) >> 1;
          if (this.compare(values[above], value) <= 0) break;
          values[index] = values[above];
          index = above;
        }
        values[index] = value;
      }

      pop() {
        const { values } = this;
        const first = values[0];
        const last = values.pop();
        if (!values.length) return first;
        let index = 0;
        for (;;) {
          let below = 2 * index + 1;
          if (below >= values.length) break;
          if (below + 1 < values.length && this.compare(values[below + 1], values[below]) < 0) below++;
          if (this.compare(last, values[below]) <= 0) break;
          values[index] = values[below];
          index = below;
        }
        values[index] = last;
        return first;
      }
    }

    class LifetimesView {
      static lane = 19;
      static bar = 15;

      constructor() {
        this.box = byID("lifetimes");
        this.canvas = byID("lifetimes-canvas");
        this.size = byID("lifetimes-size");
        this.tip = byID("tip");
        this.range = byID("span");
        this.version = -1;
        this.laidOut = -Infinity;
        this.range.addEventListener("change", () => { this.version = -1; page.draw(); });
        this.box.addEventListener("scroll", () => page.draw());
        this.canvas.addEventListener("pointermove", (event) => this.point(event));
        this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
        this.canvas.addEventListener("click", (event) => {
          const span = this.at(event);
          if (span) page.select(span.id);
        });
        this.canvas.addEventListener("dblclick", (event) => page.lookBack(this.timeAt(event)));
      }

      /// The range of time in view.
      get window() {
        const history = page.history;
        const length = Number(this.range.value);
        const now = history.now();
        if (!length) return [Math.min(history.firstStart, now - 1), now];
        // Looking back, what comes next is in view too.
        const end = page.isLive ? now : Math.min(now, page.time + length / 2);
        return [Math.max(end - length, Math.min(history.firstStart, end - 1000)), end];
      }

      /// Computes the lanes. Siblings that are active one after the other share a lane.
      layOut(history, start, end) {
        const below = new Map();
        const roots = [];
        const spans = history.spans.filter((span) => span.start <= end && (span.end === null || span.end >= start));
        const kept = new Set(spans);
        for (const span of spans) {
          let above = span.above;
          while (above && !kept.has(above)) above = above.above;
          const list = above ? below.get(above) : roots;
          if (list) list.push(span); else below.set(above, [span]);
        }
        /// Assigns slots to siblings. Returns the height of all.
        const place = (list) => {
          list.sort((one, other) => one.start - other.start);
          // The slots in use, by the time at which they are free again, and the free ones.
          const used = new Heap((one, other) => one.end - other.end);
          const free = new Heap((one, other) => one - other);
          const heights = [];
          for (const span of list) {
            while (used.first && used.first.end <= span.start) free.push(used.pop().slot);
            const slot = free.first === undefined ? heights.length : free.pop();
            used.push({ end: span.end ?? Infinity, slot });
            span.slot = slot;
            heights[slot] = Math.max(heights[slot] ?? 0, span.height);
          }
          const tops = [];
          let top = 0;
          heights.forEach((height, slot) => { tops[slot] = top; top += height; });
          for (const span of list) span.offset = tops[span.slot];
          return top;
        };
        // Children follow their parents in the list.
        for (let index = spans.length - 1; index >= 0; index--) {
          const list = below.get(spans[index]);
          spans[index].height = 1 + (list ? place(list) : 0);
        }
        this.lanes = place(roots);
        for (const span of spans) {
          let above = span.above;
          while (above && !kept.has(above)) above = above.above;
          span.y = above ? above.y + 1 + span.offset : span.offset;
        }
        this.spans = spans;
      }

      draw() {
        const history = page.history;
        const width = this.box.clientWidth;
        const height = this.box.clientHeight;
        if (!width || !height) return;
        const scale = devicePixelRatio || 1;
        if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
          this.canvas.width = Math.round(width * scale);
          this.canvas.height = Math.round(height * scale);
          this.canvas.style.height = height + "px";
        }
        const context = this.canvas.getContext("2d");
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        if (!history?.spans.length) {
          this.size.style.height = "0";
          context.fillStyle = page.color("--faint");
          context.font = "13.5px system-ui, sans-serif";
          context.fillText("No RIB was active since the page was opened.", 20, 36);
          return;
        }
        const [start, end] = this.window;
        // Again only when it has changed, and at most four times a second.
        const now = performance.now();
        if (now - this.laidOut > 250 || !page.isLive || this.version < 0) {
          this.layOut(history, start, end);
          this.version = history.spanVersion;
          this.laidOut = now;
        }
        byID("span-note").textContent = counted(this.spans.length, "lifetime");
        const { lane, bar } = LifetimesView;
        const ruler = 22;
        this.size.style.height = this.lanes * lane + ruler + 10 + "px";
        const x = (time) => (time - start) / Math.max(1, end - start) * width;
        const top = this.box.scrollTop;
        const colors = Object.fromEntries(["bar", "bar-idle", "text", "faint", "accent", "bad", "line", "ground", "chosen"].map((name) => [name, page.color("--" + name)]));
        context.font = "11.5px system-ui, sans-serif";
        context.textBaseline = "middle";
        this.drawRuler(context, start, end, width, height, x, colors, ruler);
        context.save();
        context.beginPath();
        context.rect(0, ruler, width, height);
        context.clip();
        this.geometry = { start, end, width, ruler };
        for (const span of this.spans) {
          const y = span.y * lane - top + ruler + 4;
          if (y + lane < ruler || y > height) continue;
          const left = Math.max(-2, x(span.start));
          const right = Math.min(width + 2, x(span.end ?? end));
          const length = Math.max(1.5, right - left);
          context.fillStyle = span.end === null ? colors.bar : colors["bar-idle"];
          context.fillRect(left, y, length, bar);
          if (span.id === page.selected) {
            context.strokeStyle = colors.accent;
            context.lineWidth = 2;
            context.strokeRect(left + 1, y + 1, Math.max(0, length - 2), bar - 2);
          }
          context.fillStyle = colors.accent;
          for (const work of span.work) {
            const from = Math.max(left, x(work.start));
            const to = Math.min(right, x(work.end ?? span.end ?? end));
            if (to > from) context.fillRect(from, y + bar - 3, Math.max(1, to - from), 3);
          }
          context.fillStyle = colors.bad;
          for (const problem of span.problems) context.fillRect(x(problem) - 1.5, y, 3, bar);
          if (length > 26) {
            context.save();
            context.beginPath();
            context.rect(left, y, length - 4, bar);
            context.clip();
            context.fillStyle = colors.text;
            context.fillText(span.name, Math.max(left, 0) + 5, y + bar / 2 - 0.5);
            context.restore();
          }
        }
        context.restore();
        if (!page.isLive) {
          context.fillStyle = colors.accent;
          context.fillRect(x(page.time) - 1, 0, 2, height);
        }
      }

      drawRuler(context, start, end, width, height, x, colors, ruler) {
        const steps = [100, 200, 500, 1000, 2000, 5000, 10000, 20000, 60000, 120000, 300000, 600000, 1800000, 3600000, 21600000];
        const step = steps.find((step) => (end - start) / step <= width / 90) ?? 86400000;
        for (let time = Math.ceil(Math.max(0, start) / step) * step; time <= end; time += step) {
          context.fillStyle = colors.line;
          context.fillRect(x(time), 0, 1, height);
          context.fillStyle = colors.faint;
          context.fillText(clock(time).replace(/\.000$/, ""), x(time) + 4, ruler / 2);
        }
      }

      timeAt(event) {
        const { start, end, width } = this.geometry;
        return start + (event.clientX - this.canvas.getBoundingClientRect().left) / width * (end - start);
      }

      at(event) {
        if (!this.geometry) return null;
        const y = event.clientY - this.canvas.getBoundingClientRect().top;
        const lane = Math.floor((y + this.box.scrollTop - this.geometry.ruler - 4) / LifetimesView.lane);
        const time = this.timeAt(event);
        const slack = (this.geometry.end - this.geometry.start) / this.geometry.width * 2;
        return this.spans.find((span) => span.y === lane && span.start - slack <= time && (span.end ?? Infinity) + slack >= time) ?? null;
      }

      point(event) {
        const span = page.history && this.at(event);
        this.tip.hidden = !span;
        if (!span) return;
        const until = span.end ?? page.history.now();
        const work = span.work.filter((work) => work.end === null).map((work) => work.name);
        this.tip.replaceChildren(element("b", "", span.name), " " + (span.end === null ? "active for " : "was active for ") + age(until - span.start)
          + ", from " + clock(span.start) + (work.length ? "; " + work.slice(0, 3).join(", ") : "")
          + (span.problems.length ? "; " + counted(span.problems.length, "problem") : ""));
        this.tip.style.left = Math.min(event.clientX + 12, innerWidth - this.tip.offsetWidth - 8) + "px";
        this.tip.style.top = Math.min(event.clientY + 14, innerHeight - this.tip.offsetHeight - 8) + "px";
      }
    }
    """#
}
