// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The state of a tree at one moment: a snapshot, and the events after it.
  static let treeState = #"""
    class TreeState {
      constructor() {
        this.nodes = new Map();
        this.root = null;
        this.work = 0;
        this.hasEnded = false;
        /// Whether events say exactly what they change. Those of earlier versions of the inspector do not.
        this.isExact = false;
        /// The changes of the next event that the snapshot includes.
        this.included = 0;
        /// The number of the last event that was applied or that the snapshot includes, and the time of the snapshot.
        this.number = 0;
        this.time = -Infinity;
        /// The RIBs of running work, by the number of the work.
        this.places = new Map();
      }

      /// The state in a snapshot, with what the inspector says about it.
      static of(snapshot, time, keyframe) {
        const state = new TreeState();
        state.isExact = keyframe !== undefined;
        state.included = keyframe?.changes ?? 0;
        state.number = keyframe?.number ?? 0;
        state.time = time;
        const work = new Map((keyframe?.work ?? []).map((work) => [work.node, work]));
        const sleeps = new Map(keyframe?.sleeps ?? []);
        const made = snapshot.nodes.map((node, index) => {
          const parent = node.parent === undefined ? null : node.parent;
          return {
            id: node.id ?? "new " + index, name: titled(node.name, node.label), rib: printable(node.name),
            router: printable(node.router),
            interactor: printable(node.interactor), hasView: node.hasView, state: node.state,
            since: node.ageNanoseconds === undefined ? undefined : time - node.ageNanoseconds / 1e6,
            ...TreeState.work(node, work.get(index), sleeps),
            subscriptions: node.subscriptions, summary: node.summary === undefined ? undefined : printable(node.summary),
            restarts: node.restarts, parent,
          };
        });
        for (const node of made) {
          state.insert(node, node.parent === null ? null : made[node.parent]);
          state.work += node.tasks.length + node.workers.length;
          for (const task of node.tasks) if (task.id !== undefined) state.places.set(task.id, node);
        }
        return state;
      }

      /// The running work of a RIB in a snapshot: that of its interactor, and then that of its workers in order.
      ///
      /// `sleeps` are the times at which work wakes, by its number.
      static work(node, numbers, sleeps) {
        const names = (node.tasks ?? []).map(printable);
        const workers = (node.workers ?? []).map((name) => ({ name: printable(name) }));
        const ids = (numbers?.tasks ?? []).map((id) => ({ id, worker: null }));
        workers.forEach((worker, index) => {
          for (const id of numbers?.workers?.[index] ?? []) ids.push({ id, worker });
        });
        const task = (name, index) => ({ name, worker: null, ...ids[index], end: TreeState.end(sleeps.get(ids[index]?.id)) });
        return { tasks: names.map(task), workers };
      }

      /// A wall time, in milliseconds since 1970, of one in microseconds.
      static end(time) { return time === undefined ? undefined : time / 1000; }

      /// A copy that later events do not change.
      clone() {
        const copy = new TreeState();
        for (const node of this.inOrder()) {
          const made = copy.insert(
            { ...node, tasks: node.tasks.slice(), workers: node.workers.slice() },
            node.parent && copy.nodes.get(node.parent.id));
          for (const task of made.tasks) if (task.id !== undefined) copy.places.set(task.id, made);
        }
        copy.isExact = this.isExact;
        copy.included = this.included;
        copy.number = this.number;
        copy.time = this.time;
        copy.work = this.work;
        copy.hasEnded = this.hasEnded;
        return copy;
      }

      /// The RIBs in pre-order.
      inOrder() {
        const list = [];
        for (let node = this.root; node; node = this.after(node)) list.push(node);
        return list;
      }

      /// The next RIB in pre-order.
      after(node, skipsChildren = false) {
        if (node.first && !skipsChildren) return node.first;
        while (node && !node.next) node = node.parent;
        return node ? node.next : null;
      }

      /// Inserts a RIB as the last child of its parent, or after one.
      insert(node, parent, previous = parent ? parent.last : null) {
        node.parent = parent;
        node.first = node.last = node.prev = node.next = null;
        node.level = parent ? parent.level + 1 : 0;
        this.nodes.set(node.id, node);
        if (!parent) { this.root = node; return node; }
        node.prev = previous;
        node.next = previous ? previous.next : parent.first;
        if (node.prev) node.prev.next = node; else parent.first = node;
        if (node.next) node.next.prev = node; else parent.last = node;
        return node;
      }

      remove(node) {
        const end = this.after(node, true);
        for (let below = node; below && below !== end; below = this.after(below)) {
          this.nodes.delete(below.id);
          this.work -= below.tasks.length + below.workers.length;
          for (const task of below.tasks) this.places.delete(task.id);
        }
        this.unlink(node);
      }

      unlink(node) {
        if (node === this.root) { this.root = null; return; }
        if (node.prev) node.prev.next = node.next; else node.parent.first = node.next;
        if (node.next) node.next.prev = node.prev; else node.parent.last = node.prev;
      }

      /// Returns the RIB of an event. Inserts it if it is unknown.
      found(event) {
        const known = this.nodes.get(event.node);
        if (known) return known;
        if (event.node === undefined) return null;
        if (event.parent === undefined) {
          // A root that is not the known one starts the tree anew.
          if (event.path.length > 1) return null;
          this.nodes.clear();
          this.work = 0;
        }
        const parent = event.parent === undefined ? null : this.nodes.get(event.parent);
        if (event.parent !== undefined && !parent) return null;
        // A RIB that was not active when the snapshot was taken had no number then.
        for (let child = parent?.first; child; child = child.next) {
          if (typeof child.id === "string" && child.name === event.name) {
            this.nodes.delete(child.id);
            child.id = event.node;
            this.nodes.set(child.id, child);
            return child;
          }
        }
        return this.insert(TreeState.made(event.node, event.name), parent);
      }

      /// Applies an event.
      ///
      /// Returns the RIB that it concerns, also one that it has removed.
      apply(event) {
        this.hasRemoved = false;
        const before = this.nodes.get(event.node);
        // The snapshot may have been taken after events that arrive later than it.
        if (this.isExact ? event.number <= this.number : event.time <= this.time) return before ?? null;
        this.number = event.number;
        if (this.isExact) {
          const isStart = event.kind === "taskStarted";
          for (let index = this.included; index < event.changes.length; index++) this.edit(event.changes[index], isStart);
          this.included = 0;
          // The snapshots of a recording do not number the work.
          const left = before?.tasks.findIndex((task) => task.id === undefined && task.name === event.work) ?? -1;
          if (left >= 0 && (event.kind === "taskEnded" || event.kind === "taskFailed") && !this.hasRemoved) this.end(before.tasks, left);
        } else {
          this.guess(event);
        }
        if (event.kind === "ended") this.hasEnded = true;
        return before ?? this.nodes.get(event.node) ?? null;
      }

      /// Applies a change, as the documentation of `InspectedEdit` describes it.
      ///
      /// Work is repeated when it begins to sleep, wakes or is cancelled, and not at the start of work.
      edit([word, id, ...values], isStart) {
        const node = this.nodes.get(id);
        switch (word) {
        case "insert": {
          const [parent, place, name, router, interactor, hasView, label] = values;
          const above = parent === 0 ? null : this.nodes.get(parent);
          if (node || above === undefined || (above === null && this.root)) return;
          // A RIB that was not active when the snapshot was taken had no number then.
          for (let child = above?.first; child; child = child.next) {
            if (typeof child.id === "string" && child.name === titled(name, label)) { this.remove(child); break; }
          }
          const made = TreeState.made(id, titled(name, label));
          made.rib = printable(name);
          made.router = printable(router);
          made.interactor = printable(interactor);
          made.hasView = hasView;
          this.insert(made, above, this.place(above, place));
          break;
        }
        case "move":
          if (!node?.parent) return;
          this.unlink(node);
          this.insert(node, node.parent, this.place(node.parent, values[0]));
          break;
        case "remove": if (node) this.remove(node); break;
        case "activate": if (node) { node.state = "active"; node.since = values[0] / 1e6; } break;
        case "resigning": if (node) node.state = "resigning"; break;
        case "resign":
          if (!node) return;
          node.state = "inactive";
          node.since = undefined;
          node.subscriptions = 0;
          break;
        case "work": {
          const [owner, worker, name, time] = values;
          const place = this.nodes.get(owner);
          if (!place) return;
          const [shown, end] = [printable(name), TreeState.end(time)];
          // The snapshots of a recording do not number the work.
          const known = place.tasks.findIndex((task) => task.id === id || (!isStart && task.id === undefined && task.name === shown));
          if (known >= 0) {
            // Copies share the object.
            place.tasks[known] = { ...place.tasks[known], id, end };
            this.places.set(id, place);
          } else if (!this.places.has(id)) {
            this.places.set(id, place);
            place.tasks.push({ id, name: shown, worker: place.workers[worker] ?? null, end });
            this.work++;
          }
          break;
        }
        case "workEnd": {
          const place = this.places.get(id);
          if (!place) return;
          this.places.delete(id);
          this.hasRemoved = true;
          this.end(place.tasks, place.tasks.findIndex((task) => task.id === id));
          break;
        }
        case "worker": if (node) { node.workers.push({ name: printable(values[0]) }); this.work++; } break;
        case "workerStop": {
          const worker = node?.workers[values[0]];
          if (!worker) return;
          this.end(node.workers, values[0]);
          for (const task of node.tasks.filter((task) => task.worker === worker)) {
            this.places.delete(task.id);
            this.end(node.tasks, node.tasks.indexOf(task));
          }
          break;
        }
        case "restart": if (node) node.restarts = { made: values[0], limit: values[1] }; break;
        }
      }

      /// The sibling after which a RIB is inserted, of a place in a change.
      place(parent, number) {
        if (!parent || number === 0) return null;
        const sibling = number > 0 ? this.nodes.get(number) : undefined;
        return sibling?.parent === parent ? sibling : parent.last;
      }

      static made(id, name) {
        return {
          id, name, rib: name, router: undefined, interactor: undefined, hasView: undefined, state: "inactive", since: undefined,
          tasks: [], workers: [], subscriptions: 0, summary: undefined, restarts: undefined,
        };
      }

      /// Applies what the kind of an event lets expect.
      guess(event) {
        switch (event.kind) {
        case "attached": this.found(event); return;
        case "activated": {
          const node = this.found(event);
          if (node) { node.state = "active"; node.since = event.time; }
          return;
        }
        }
        const node = this.nodes.get(event.node);
        if (!node) return;
        switch (event.kind) {
        case "resigned":
          node.state = "inactive";
          node.since = undefined;
          node.subscriptions = 0;
          break;
        case "detached": this.remove(node); break;
        case "taskStarted": node.tasks.push({ name: event.work ?? "work", worker: null }); this.work++; break;
        case "taskEnded": case "taskFailed":
          this.end(node.tasks, node.tasks.findIndex((task) => task.name === event.work));
          break;
        case "workerStarted": node.workers.push({ name: event.worker ?? "worker" }); this.work++; break;
        case "workerStopped": this.end(node.workers, node.workers.findIndex((worker) => worker.name === event.worker)); break;
        }
      }

      end(work, index) {
        if (index < 0) return;
        work.splice(index, 1);
        this.work--;
      }
    }

    /// Work, and when it wakes if it sleeps until a wall time.
    const nameOf = (work) => work.name + (work.end === undefined ? "" : ", sleeps until " + new Date(work.end).toLocaleString());
    const names = (work) => work.map(nameOf).join("\n");

    /// The names from the root to a RIB.
    function pathOf(node) {
      const path = [];
      for (; node; node = node.parent) path.unshift(node.name);
      return path;
    }
    """#
}
