// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// What is known of the selected RIB.
  static let detailsPane = #"""
    class DetailsPane {
      static events = 100;

      constructor() {
        this.box = byID("details");
        this.signature = undefined;
      }

      draw() {
        const { selected, history, shownState: state, time } = page;
        const node = selected === undefined ? undefined : state?.nodes.get(selected);
        const own = history?.ofNode.get(selected) ?? [];
        let end = own.length;
        if (!page.isLive) while (end > 0 && own[end - 1].sequence > page.sequence) end--;
        const last = own[end - 1];
        const signature = [page.tree, selected, node?.state, node && wholeAge(time - (node.since ?? time)), node && names(node.tasks),
          node && names(node.workers), node?.subscriptions, node?.summary, node?.restarts?.made, node?.first && this.children(node),
          last?.sequence, page.isLive].join("\u0000");
        if (signature === this.signature) return;
        this.signature = signature;
        const scroll = this.box.scrollTop;
        this.box.classList.toggle("none", selected === undefined);
        this.box.replaceChildren(...(selected === undefined
          ? [element("p", "faint", "Select a RIB to see its state, its work and its events.")]
          : this.content(node, own.slice(Math.max(0, end - DetailsPane.events), end), end)));
        this.box.scrollTop = scroll;
      }

      children(node) {
        let count = 0;
        for (let child = node.first; child; child = child.next) count++;
        return count;
      }

      content(node, events, count) {
        const { time } = page;
        const last = events[events.length - 1];
        const name = node?.name ?? last?.name ?? "RIB #" + page.selected;
        const close = element("button", "quiet close", "Close");
        close.type = "button";
        close.addEventListener("click", () => page.select(undefined));
        const dot = element("span", "dot " + (node?.state ?? "inactive"));
        const parts = [element("h2", "", dot, name, close)];
        const path = node ? pathOf(node) : last?.path ?? [];
        parts.push(element("p", "whole-path", path.slice(-64).join(" / ")));
        const list = element("dl");
        const add = (term, values, className) => {
          const shown = [values].flat().filter((value) => value !== undefined);
          if (!shown.length) return;
          list.append(element("dt", "", term), element("dd", className, ...shown.map((value) => value instanceof Node ? value : element("div", "", value))));
        };
        if (node) {
          add("State", node.state);
          if (node.since !== undefined) add("Active for", wholeAge(time - node.since));
          add("Summary", node.summary);
          if (node.restarts) add("Restarts", node.restarts.made + " of " + node.restarts.limit);
          add("Work", node.tasks.map(nameOf), "code");
          add("Workers", node.workers.map((worker) => worker.name), "code");
          add("Subscriptions", String(node.subscriptions));
          const children = this.children(node);
          add("Children", children ? children + ", " + number(page.view.below(node)) + " below" : "0");
          add("Router", node.router, "code");
          add("Interactor", node.interactor, "code");
          if (node.hasView !== undefined) add("View", node.hasView ? "yes" : "no");
          add("Number", "#" + node.id);
        } else {
          const gone = events.findLast((event) => event.kind === "detached" || event.kind === "resigned");
          add("State", gone ? "has left the tree at " + clock(gone.time) : "is not in the tree at this time");
          const begin = events.find((event) => event.kind === "activated");
          if (gone?.duration !== undefined) add("Was active for", age(gone.duration));
          const look = begin ?? (gone && events[0]);
          if (look) add("", this.link("Look back at it", () => page.lookBack(Math.max(look.time, gone ? gone.time - 1 : look.time))));
        }
        parts.push(list);
        if (events.length) {
          parts.push(element("h3", "", "Events" + (count > events.length ? ", the latest " + events.length + " of " + number(count) : "")));
          const items = element("ol");
          for (const event of events.slice().reverse()) {
            const when = this.link(clock(event.time), () => page.lookBack(event.time, event.sequence));
            when.classList.add("when");
            when.title = "Look back at this time";
            const what = element("div", "", element("span", "kind " + tone(event.kind), title(event.kind)));
            const more = detail(event);
            if (more) what.append(element("small", "", more));
            items.append(element("li", "", when, what));
          }
          parts.push(items);
        } else {
          parts.push(element("h3", "", "Events"), element("p", "faint", page.isRecording ? "None." : "None since the page was opened."));
        }
        return parts;
      }

      link(text, act) {
        const made = element("button", "link", text);
        made.type = "button";
        made.addEventListener("click", act);
        return made;
      }
    }
    """#
}
