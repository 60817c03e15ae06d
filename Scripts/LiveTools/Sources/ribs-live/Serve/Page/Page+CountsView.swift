// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// How often what happens, and which RIBs there are most of.
  static let countsView = #"""
    /// Counts of the last minute, by second.
    class Rate {
      constructor() {
        this.buckets = new Float64Array(60);
        this.second = 0;
      }

      add(count = 1) {
        this.advance();
        this.buckets[this.second % 60] += count;
      }

      advance() {
        const second = Math.floor(performance.now() / 1000);
        for (let passed = Math.max(this.second + 1, second - 59); passed <= second; passed++) this.buckets[passed % 60] = 0;
        this.second = second;
      }

      /// Per second, over the last whole seconds.
      over(seconds) {
        this.advance();
        let sum = 0;
        for (let back = 1; back <= seconds; back++) sum += this.buckets[(this.second - back + 60) % 60];
        return sum / seconds;
      }
    }

    const perSecond = (rate) => rate === 0 ? "0" : rate < 10 ? rate.toFixed(1) : number(Math.round(rate));

    class CountsView {
      constructor() {
        this.box = byID("counts");
        this.clear();
      }

      clear() {
        this.kinds = new Map();
        this.events = new Rate();
        this.total = 0;
      }

      note(event) {
        this.total++;
        this.events.add();
        const kind = this.kinds.get(event.kind) ?? { count: 0, rate: new Rate() };
        kind.count++;
        kind.rate.add();
        this.kinds.set(event.kind, kind);
      }

      draw() {
        const second = Math.floor(performance.now() / 500);
        if (this.drawn === second && this.of === page.shownState) return;
        this.drawn = second;
        this.of = page.shownState;
        const whose = page.isRecording ? "this part of the recording of the chosen tree" : page.followsAll ? "all trees of the process" : "the chosen tree";
        const tables = [];
        const kinds = [...this.kinds].sort((one, other) => other[1].count - one[1].count);
        if (kinds.length) {
          const most = kinds[0][1].count;
          const rates = page.isRecording ? [] : ["per second, 10 s", "per second, 1 min"];
          tables.push(this.table("Events of " + whose + (page.isRecording ? "" : " since the page was opened"), ["", "count", ...rates, ""],
            kinds.map(([kind, { count, rate }]) => [
              element("span", "kind " + tone(kind), title(kind)), number(count),
              ...rates.map((_, index) => perSecond(rate.over(index ? 59 : 10))), count / most,
            ])));
        }
        const names = new Map();
        for (const node of page.shownState?.nodes.values() ?? []) {
          const entry = names.get(node.rib) ?? { count: 0, active: 0, work: 0 };
          entry.count++;
          if (node.state === "active") entry.active++;
          entry.work += node.tasks.length + node.workers.length;
          names.set(node.rib, entry);
        }
        if (names.size) {
          const list = [...names].sort((one, other) => other[1].count - one[1].count || one[0].localeCompare(other[0])).slice(0, 100);
          const most = list[0][1].count;
          tables.push(this.table("RIBs of the chosen tree by name", ["", "RIBs", "active", "work", ""],
            list.map(([name, entry]) => [name, number(entry.count), number(entry.active), number(entry.work), entry.count / most])));
        }
        if (!tables.length) tables.push(empty("Nothing to count", "Choose a tree. Its RIBs and its events are counted here."));
        this.box.replaceChildren(...tables);
      }

      table(caption, head, rows) {
        const body = element("tbody");
        for (const cells of rows) {
          const line = element("tr");
          cells.forEach((cell, index) => {
            if (index < cells.length - 1) return line.append(element("td", "", cell));
            const bar = element("i");
            bar.style.width = cell * 100 + "%";
            line.append(element("td", "share", bar));
          });
          body.append(line);
        }
        return element("table", "", element("caption", "", caption),
          element("thead", "", element("tr", "", ...head.map((text) => element("th", "", text)))), body);
      }
    }
    """#
}
