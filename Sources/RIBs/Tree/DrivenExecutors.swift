/// Where the work of a tree runs, in place of its actor and the global executor.
@usableFromInline
package struct DrivenExecutors: Sendable {
  /// Runs what it is handed isolated to the tree's actor.
  package let home: any HomeTaskExecutor
  /// Runs the work that leaves the tree.
  package let away: any TaskExecutor

  package init(home: any HomeTaskExecutor, away: any TaskExecutor) {
    self.home = home
    self.away = away
  }
}
