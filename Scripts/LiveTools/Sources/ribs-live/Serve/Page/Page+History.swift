// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// What the page has seen of a tree: keyframes, the events between them, and which RIBs lived when.
  static let history = #"""
    class History {
      /// The maximum number of events, of RIBs in all keyframes, and of lifetimes.
      static events = 50000;
      static ribs = 200000;
      static lifetimes = 20000;
      /// The maximum number of pieces of work, and of problems, of a lifetime. The oldest half is forgotten at once.
      static work = 500;
      /// The number of events after which a keyframe is made.
      static interval = 1000;

      constructor() {
        this.events = [];
        this.keyframes = [];
        this.ofNode = new Map();
        this.problems = [];
        this.state = null;
        this.lost = 0;
        /// Whether events may be missing since the last snapshot.
        this.hasGap = true;
        this.spans = [];
        this.openSpans = new Map();
        /// Changes with the lifetimes.
        this.spanVersion = 0;
        this.rate = 1;
        this.measured = null;
        this.lastEvent = 0;
      }

      get start() { return this.bounds?.start ?? (this.keyframes.length ? this.keyframes[0].time : 0); }

      /// Takes a part of a recording in place of what is known.
      takePart(part) {
        const milliseconds = (nanoseconds) => nanoseconds / 1e6;
        Object.assign(this, new History());
        this.bounds = {
          start: milliseconds(part.start), end: milliseconds(part.end), from: milliseconds(part.from), to: milliseconds(part.to),
        };
        this.lost = part.lostEvents;
        /// Sentences about events that are missing.
        this.notes = part.problems.slice(0, 3).map(printable);
        if (part.problems.length > 3) this.notes.push("And " + number(part.problems.length - 3) + " more parts can't be read.");
        const first = (part.events[0]?.number ?? 1) - 1;
        this.takeSnapshot(part.snapshot ?? { nodes: [] }, { timeNanoseconds: part.from, number: first }, performance.now());
        const snapshots = new Map(part.snapshots.map((moment) => [moment.number, moment.snapshot]));
        for (const raw of part.events) {
          const event = readEvent(raw);
          this.add(event);
          if (snapshots.has(event.number)) this.takeSnapshot(snapshots.get(event.number) ?? { nodes: [] }, raw, performance.now());
        }
        if (part.last) {
          this.hasGap = true;
          this.takeSnapshot(part.last, { timeNanoseconds: part.to, number: Infinity }, performance.now());
        }
      }

      /// When the first known lifetime began.
      get firstStart() { return this.spans.length ? this.spans[0].start : this.start; }

      /// The time of the tree now. It runs at the rate of the tree's clock, which may be a virtual one.
      now(at = performance.now()) {
        if (this.bounds) return this.bounds.end;
        if (!this.measured) return this.lastEvent;
        if (this.state?.hasEnded) return this.lastEvent;
        return Math.max(this.lastEvent, this.measured.time + (at - this.measured.at) * this.rate);
      }

      measure(time, at) {
        if (this.measured && at - this.measured.at > 200) {
          const rate = (time - this.measured.time) / (at - this.measured.at);
          this.rate = rate > 0.9 && rate < 1.1 ? 1 : Math.min(Math.max(rate, 0), 10000);
        }
        this.measured = { time, at };
      }

      /// Continues from a snapshot.
      ///
      /// `keyframe` says when it was taken, and the number of the last event before it. Without it, as earlier versions
      /// of the inspector do not send it, the age of the root says when.
      takeSnapshot(snapshot, keyframe, at) {
        const age = keyframe ? keyframe.timeNanoseconds : snapshot.nodes[0]?.ageNanoseconds;
        const time = age !== undefined ? age / 1e6 : this.now(at);
        const isAfter = (event) => keyframe ? event.number > keyframe.number : event.time > time;
        this.measure(time, at);
        const state = TreeState.of(snapshot, time, keyframe);
        let first = this.events.length;
        while (first > 0 && isAfter(this.events[first - 1])) first--;
        const later = this.events.slice(first);
        this.addKeyframe(time, state, first ? this.events[first - 1].sequence : 0, this.hasGap);
        this.hasGap = false;
        this.syncSpans(state, time);
        const before = this.state;
        this.state = state.clone();
        for (const event of later) this.state.apply(event);
        if (before?.hasEnded) this.state.hasEnded = true;
      }

      addKeyframe(time, state, sequence, isAfterGap) {
        const last = this.keyframes[this.keyframes.length - 1];
        // Nothing happened since the last one: only ages, subscriptions and summaries may differ.
        if (last && !isAfterGap && last.sequence === sequence) this.keyframes.pop();
        this.keyframes.push({ time: last && !isAfterGap && last.sequence === sequence ? last.time : time, state, sequence, isAfterGap });
        if (!this.hasTooManyRIBs) return;
        // Each second keyframe can be computed from the one before it, unless events are missing between them.
        this.keyframes = this.keyframes.filter((frame, index) => index % 2 === 0 || frame.isAfterGap || index > this.keyframes.length - 3);
        if (!this.hasTooManyRIBs) return;
        while (this.hasTooManyRIBs) this.keyframes.shift();
        this.forget(this.keyframes[0].sequence);
      }

      /// Whether the keyframes have more RIBs than are kept. A few keyframes are kept of any tree.
      get hasTooManyRIBs() {
        return this.keyframes.length > 4 && this.keyframes.reduce((sum, frame) => sum + frame.state.nodes.size, 0) > History.ribs;
      }

      /// Events are missing here.
      gap(count) {
        this.lost += count;
        this.hasGap = true;
      }

      /// Adds an event. Returns the RIB that it concerns.
      add(event) {
        const last = this.events[this.events.length - 1];
        if (last && last.number + 1 < event.number) this.hasGap = true;
        this.lastEvent = Math.max(this.lastEvent, event.time);
        this.events.push(event);
        if (event.node !== undefined) {
          const own = this.ofNode.get(event.node);
          if (own) own.push(event); else this.ofNode.set(event.node, [event]);
        }
        if (isProblem(event.kind)) this.problems.push(event);
        this.track(event);
        const node = this.state ? this.state.apply(event) : null;
        const frame = this.keyframes[this.keyframes.length - 1];
        if (frame && event.sequence - frame.sequence >= Math.max(History.interval, this.state.nodes.size / 4)) {
          this.addKeyframe(event.time, this.state.clone(), event.sequence, false);
        }
        if (this.events.length > History.events * 1.1) this.trim();
        return node;
      }

      /// Forgets the oldest events, up to a keyframe.
      trim() {
        const excess = this.events.length - History.events;
        const sequence = this.events[excess].sequence;
        const index = this.keyframes.findIndex((frame) => frame.sequence >= sequence);
        if (index < 0) this.keyframes = []; else this.keyframes.splice(0, index);
        this.forget(this.keyframes.length ? this.keyframes[0].sequence : sequence);
      }

      /// Forgets the events up to the one with a number.
      forget(sequence) {
        this.events = this.events.filter((event) => event.sequence > sequence);
        this.problems = this.problems.filter((event) => event.sequence > sequence);
        this.ofNode.clear();
        for (const event of this.events) {
          if (event.node === undefined) continue;
          const own = this.ofNode.get(event.node);
          if (own) own.push(event); else this.ofNode.set(event.node, [event]);
        }
      }

      /// The index of the first event after a time.
      indexAfter(time) {
        let [low, high] = [0, this.events.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (this.events[middle].time <= time) low = middle + 1; else high = middle;
        }
        return low;
      }

      /// The state at a time: the keyframe before it, and the events in between.
      ///
      /// `sequence` is that of the last event to apply, because others may have the same time.
      stateAt(time, reuse, sequence = Infinity) {
        let frame = null;
        for (const candidate of this.keyframes) if (candidate.time <= time && candidate.sequence <= sequence) frame = candidate;
        frame ??= this.keyframes[0];
        if (!frame) return null;
        const end = Math.min(this.indexAfter(time), this.indexAfterSequence(sequence));
        // Continue from the cached state if it is later than the keyframe.
        let from = reuse && reuse.time <= time && reuse.sequence >= frame.sequence && reuse.sequence <= sequence ? reuse : null;
        from ??= { state: frame.state.clone(), sequence: frame.sequence };
        for (let index = this.indexAfterSequence(from.sequence); index < end; index++) {
          from.state.apply(this.events[index]);
          from.sequence = this.events[index].sequence;
        }
        from.time = time;
        return from;
      }

      /// The index of the first event after the one with a number.
      indexAfterSequence(sequence) {
        let [low, high] = [0, this.events.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (this.events[middle].sequence <= sequence) low = middle + 1; else high = middle;
        }
        return low;
      }

      // Lifetimes

      open(id, name, parent, start, level) {
        const above = parent === undefined ? null : this.openSpans.get(parent) ?? null;
        const span = { id, name, above, start, end: null, work: [], problems: [], level: above ? above.level + 1 : level ?? 0 };
        this.spans.push(span);
        this.openSpans.set(id, span);
        this.spanVersion++;
        if (this.spans.length > History.lifetimes * 1.1) {
          let excess = this.spans.length - History.lifetimes;
          this.spans = this.spans.filter((span) => span.end === null || excess-- <= 0);
        }
        return span;
      }

      close(span, time) {
        span.end = time;
        for (const work of span.work) work.end ??= time;
        this.openSpans.delete(span.id);
        this.spanVersion++;
      }

      track(event) {
        if (event.kind === "activated" && event.node !== undefined) {
          const before = this.openSpans.get(event.node);
          if (!before) this.open(event.node, event.name, event.parent, event.time, event.path.length - 1);
          return;
        }
        const span = this.openSpans.get(event.node);
        if (!span) return;
        switch (event.kind) {
        case "resigned": this.close(span, event.time); break;
        case "taskStarted": case "workerStarted":
          if (span.work.length >= History.work) {
            let excess = History.work / 2;
            span.work = span.work.filter((work) => work.end === null || excess-- <= 0);
          }
          if (span.work.length < History.work) span.work.push({ name: event.work ?? event.worker, start: event.time, end: null });
          break;
        case "taskEnded": case "taskFailed": case "workerStopped": {
          const work = span.work.find((work) => work.end === null && work.name === (event.work ?? event.worker));
          if (work) work.end = event.time;
          break;
        }
        }
        if (!isProblem(event.kind)) return;
        if (span.problems.length >= History.work) span.problems.splice(0, History.work / 2);
        span.problems.push(event.time);
      }

      /// Begins and ends lifetimes whose events the page has not seen.
      syncSpans(state, time) {
        for (const span of [...this.openSpans.values()]) {
          if (state.nodes.get(span.id)?.state !== "active" && this.lastEvent <= time) this.close(span, time);
        }
        for (const node of state.inOrder()) {
          if (node.state !== "active" || typeof node.id === "string" || this.openSpans.has(node.id)) continue;
          const span = this.open(node.id, node.name, node.parent?.id, node.since ?? time, node.level);
          for (const { name } of [...node.tasks, ...node.workers]) span.work.push({ name, start: time, end: null });
        }
      }
    }
    """#
}
