// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HTTPTypes
import Logging
import RIBs
public import RIBsStore

/// The routes of operators for the trees of this process: `HTTPTrees.administration(adding:)`.
///
/// | Request | Effect |
/// |---|---|
/// | `GET /KIND` | lists 1,000 trees that are awake or quarantined, by ID; `?state=quarantined` lists only these, and `?after=ID` continues |
/// | `GET /KIND/ID` | shows the RIBs of a tree that is awake, or why it is quarantined; opens no tree |
/// | `POST /KIND/ID/end` | saves and ends a tree that is awake, until the next call opens it, or its work that slept must wake. Other work waits for the call |
/// | `POST /KIND/ID/retry` | ends the quarantine of a tree |
/// | `DELETE /KIND/ID` | removes a tree and what is saved of it |
///
/// Each request needs the rule `administer` of the `Access`. Those that change something are logged with their caller.
public struct Administration {
  let group: RouterGroup<ServerContext>
  /// How long a request waits for a tree.
  let timeout: Duration

  /// Adds the trees of a directory.
  public func add<ID, Root>(_ trees: TreeDirectory<ID, Root>) {
    let kind = group.group(RouterPath(trees.kind))
    kind.get { request, _ in try JSON.response(Listing(of: trees, request.uri.queryParameters)) }
    let tree = kind.group(":tree")
    tree.get { _, context in
      let id: ID = try context.id()
      if let host = trees.host(ifAwake: id) {
        return try JSON.response(Shown(id: context.key, state: .awake, tree: await host.snapshot()))
      }
      guard let reason = trees.quarantined[id] else { throw Problem.notAwake }
      return try JSON.response(Shown(id: context.key, state: .quarantined, reason: "\(reason)"))
    }
    tree.post("end") { [timeout] _, context in
      guard let host = trees.host(ifAwake: try context.id()) else { throw Problem.notAwake }
      context.log("end")
      let report = await host.shutdown(timeout: timeout)
      guard report.busy == nil, report.unfinishedTasks.isEmpty else {
        throw Problem(.gatewayTimeout, "unfinished", "It ends when its code returns. \(report)")
      }
      return Response(status: .noContent)
    }
    tree.post("retry") { _, context in
      trees.retry(try context.id())
      context.log("retry")
      return Response(status: .accepted)
    }
    tree.delete { [timeout] _, context in
      let id: ID = try context.id()
      context.log("remove")
      do {
        try await trees.remove(id, timeout: timeout)
      } catch let error as TreeElsewhere {
        throw Problem(.misdirectedRequest, "elsewhere", "\(error)")
      } catch let error as TreeUnanswered {
        throw Problem(.gatewayTimeout, "unfinished", "The removal continues. \(error)")
      }
      return Response(status: .noContent)
    }
  }

  fileprivate enum State: String, Encodable { case awake, quarantined }

  private struct Shown: Encodable {
    let id: String
    let state: State
    var tree: TreeSnapshot?
    var reason: String?
  }

  private struct Listing: Encodable {
    static let limit = 1_000

    let trees: [Shown]
    /// The last ID, if there are more.
    let next: String?

    init<ID, Root>(of directory: TreeDirectory<ID, Root>, _ query: Parameters) throws {
      let state = try query.get("state").map { text in
        guard let state = State(rawValue: text) else { throw Problem.field("state", "Use awake or quarantined.") }
        return state
      }
      var all = directory.quarantined.map { id, error in
        Shown(id: id.description, state: .quarantined, reason: "\(error)")
      }
      if state == .awake { all = [] }
      if state != .quarantined { all += directory.ids.map { Shown(id: $0.description, state: .awake) } }
      if let last = query.get("after") { all.removeAll { $0.id <= last } }
      all.sort { $0.id < $1.id }
      trees = Array(all.prefix(Listing.limit))
      next = all.count > Listing.limit ? trees.last?.id : nil
    }
  }
}

extension Problem {
  fileprivate static var notAwake: Problem {
    Problem(.notFound, "not-awake", "It is neither awake nor quarantined in this process.")
  }
}

extension ServerContext {
  fileprivate func id<ID: LosslessStringConvertible>() throws -> ID {
    guard let id = ID(key) else { throw Problem(.notFound, "unknown-id", "This is no ID of a tree.") }
    return id
  }

  /// Logs what an operator does.
  fileprivate func log(_ action: String) {
    logger.notice(
      "administered", metadata: ["caller": "\(caller?.id ?? "")", "action": "\(action)", "tree": "\(key)"])
  }
}
