// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeCore {
  /// Creates a tree with the parts that its configuration asks for.
  convenience init(
    root: RouterNode, _ box: ConfigurationBox, _ events: TreeEvents, home: any Actor, _ activity: TreeActivity
  ) {
    let (configuration, settings) = (box.value, box.settings)
    let now = Stopwatch(on: configuration.clock)
    let limit = configuration.turnLimit
    let turns =
      limit != nil || configuration.watchdog != nil
      ? TurnMonitor(limit: limit, configuration.onSlowTurn, of: settings.identity, now, activity) : nil
    let executor =
      configuration.executors?.home ?? HomeExecutor(actor: home, activity, turns.map { IsolationBox($0) })
    // A watchdog needs no more of a call than its source location, which each call records.
    self.init(
      root: root, settings, home: home, now, TreeTasks(TaskStarter(on: home, executor, activity, turns), activity),
      measuresCalls: limit != nil)
    if let saving = configuration.saving {
      add(TreeSaver(saving, of: self, savesNewTree: configuration.savesNewTree, pause: configuration.savePause))
    }
    add(events)
    events.follow(self)
    if let delay = configuration.leakDetection.delay {
      add(
        LeakDetector(
          delay: delay, tree: self, onLeak: configuration.onLeak,
          afterTree: configuration.kindsForHandler.contains(TreeMoments(.leaked)) ? configuration.onEvent : nil))
    }
    if let turns { add(turns) }
  }

  /// Called when the tree's owner has released it. From now on its objects are checked for leaks.
  func disown(_ root: RouterNode) {
    root.removeOwningTree()
    // The root may belong to another tree by now.
    if root.owningTrees == 0 { leaks?.suspectAll(under: root) }
  }
}
