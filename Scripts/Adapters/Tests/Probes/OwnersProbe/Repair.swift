// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A part of `PostgreSQLStore` that a check can take out, by editing what the store and the server send to each other.
enum Repair: String, CaseIterable, Sendable {
  /// A save names the fence of its claim.
  case fence
  /// The fence of a claim is the time: it does not repeat after the database has lost some.
  case fences
  /// Commits wait for the replica if the user's setting is `local`.
  case commits
  /// A commit whose wait an operator has canceled is not answered.
  case notices
  /// The store connects to the server that can be written, and leaves one that has become read-only.
  case primary
  /// The session of a call that has timed out is ended.
  case sessions
  /// A lease that has ended is revived.
  case revival
  /// The leases that have ended at the same time as the revived one are extended.
  case others

  var edits: [Proxy.Edit] {
    switch self {
    case .fence: [.init("t.fence = s.fence", "0 < s.fence")]
    case .fences: [.init("GREATEST(t.fence + 1, EXCLUDED.fence)", "t.fence + 1")]
    case .commits: [.init("IN ('off', 'local')", "IN ('off')")]
    case .notices: [.init("SyncRepWaitForLSN", "another function", isOfServer: true)]
    case .primary: [.init("C25006\0", "C22000\0", isOfServer: true)]
    case .sessions: [.init("pg_terminate_backend(a.pid)", "a.pid")]
    case .revival: [.init("coalesce(expires_at, 'infinity') > '-infinity'", "false")]
    case .others: [.init("expires_at > (SELECT renewed_at FROM own)", "false")]
    }
  }

  /// What the connection string needs, so that the repair matters.
  var parameters: String {
    switch self {
    case .commits: "?options=-c%20synchronous_commit%3Dlocal"
    case .primary: "?target_session_attrs=any"
    default: ""
    }
  }

  /// The faults that need the repair.
  var faults: [ClusterFault] {
    switch self {
    case .fence: [.cut]
    case .fences: [.restore]
    case .commits: [.killBehind]
    case .notices: [.cancel]
    // The first server of the connection string is a replica then, when the servers of trees start.
    case .primary: [.switchover, .restart]
    case .sessions: [.stopReplicas]
    case .revival: [.kill]
    case .others: [.killLate]
    }
  }
}
