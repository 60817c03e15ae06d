// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The events of trees.
  static let events = #"""
    /// What a kind of event means: its color, and the filter that shows it.
    const kinds = {
      attached: ["good", "structure"], activated: ["good", "structure"], loaded: ["", "structure"],
      resigned: ["", "structure"], detached: ["", "structure"], childrenUpdated: ["", "structure"],
      restored: ["good", "structure"], ended: ["", "structure"],
      taskStarted: ["work", "work"], taskEnded: ["", "work"], workerStarted: ["work", "work"], workerStopped: ["", "work"],
      taskSleeping: ["", "work"], taskWoke: ["work", "work"], workflowStepEnded: ["", "work"],
      taskFailed: ["bad", "problems"], workflowStepFailed: ["bad", "problems"], failed: ["bad", "problems"],
      restartsExhausted: ["bad", "problems"], misuse: ["bad", "problems"], leaked: ["bad", "problems"],
      restarted: ["warn", "problems"],
    };
    const tone = (kind) => kinds[kind]?.[0] ?? "";
    const group = (kind) => kinds[kind]?.[1] ?? "";
    const isProblem = (kind) => tone(kind) === "bad";

    /// The kinds in words.
    const titles = {
      childrenUpdated: "children updated", taskStarted: "work began", taskEnded: "work ended", taskFailed: "work failed",
      taskSleeping: "work sleeps until", taskWoke: "work wakes",
      workerStarted: "worker began", workerStopped: "worker stopped", workflowStepEnded: "step ended",
      workflowStepFailed: "step failed", restartsExhausted: "no more restarts", ended: "tree ended",
    };
    const title = (kind) => titles[kind] ?? kind;

    /// Numbers the events in the order in which they arrive.
    let lastSequence = 0;

    /// The name of a RIB with its label, if it has one.
    const titled = (name, label) => printable(label ? name + " " + label : name);

    /// An event of the inspector, with times in milliseconds and printable texts.
    function readEvent(raw) {
      const path = (raw.path ?? []).map((name, index) => titled(name, raw.labels?.[index]));
      const text = (value) => value === undefined || value === null ? undefined : printable(value);
      return {
        sequence: ++lastSequence, tree: raw.tree, number: raw.number, kind: printable(raw.kind), node: raw.node,
        parent: raw.parent, path, name: path[path.length - 1] ?? "?", time: raw.timeNanoseconds / 1e6,
        duration: raw.durationNanoseconds === undefined ? undefined : raw.durationNanoseconds / 1e6,
        work: text(raw.work), worker: text(raw.worker), workflow: text(raw.workflow), message: text(raw.message),
        changes: raw.changes ?? [],
      };
    }

    /// What an event says besides its kind and its RIB.
    function detail(event) {
      const parts = [];
      if (event.worker) parts.push(event.worker);
      if (event.work) parts.push(event.work);
      if (event.duration !== undefined) parts.push("after " + age(event.duration));
      return parts.join(" ") + (event.message ? (parts.length ? ": " : "") + event.message : "");
    }

    /// The RIBs above the one of an event.
    const parents = (event) => event.path.slice(0, -1).join(" / ");
    """#
}
