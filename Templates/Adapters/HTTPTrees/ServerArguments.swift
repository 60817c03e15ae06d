// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
public import Logging
import RIBs
public import RIBsStore

/// The options of a server on its command line: an `@OptionGroup` of the program's command.
public struct ServerArguments: ParsableArguments, Sendable {
  @Option(help: "The port.") var port = 8080
  @Option(help: "The address to listen on. By default, only this machine can connect.")
  var host = "127.0.0.1"
  @Option(help: "The port for operators, who list, show, end, remove and retry trees. By default, there is none.")
  var adminPort: Int?
  @Option(help: "The address on which operators connect.") var adminHost = "127.0.0.1"
  @Option(help: "Where trees are kept: a DIRECTORY for one process, sqlite:FILE, postgres://… for several, or none.")
  var store: String?
  @Option(help: "How other processes reach this one, as HOST:PORT. Needed with a shared store.") var address = ""
  @Option(help: "A file with the tokens of callers: TOKEN CALLER ROLE… on each line.") var tokens: String?
  @Option(help: "The maximum number of trees that are awake.") var trees = 100_000
  @Option(help: "How long a tree stays awake after its last call, in seconds.") var idleAfter = 600.0
  @Option(help: "The memory of the process above which idle trees end earlier, in MiB; 0 for none.") var memoryLimit = 0
  @Option(help: "The maximum number of calls that use or wait for one tree.") var callsPerTree = 1_000
  @Option(help: "The maximum number of connections.") var connections = 19_000
  @Option(help: "The maximum number of trees that are opened at the same time after a crash.") var opensAtOnce = 16
  @Option(help: "The maximum number of followers.") var followers = 15_000
  @Option(help: "The maximum number of followers of a tree.") var followersPerTree = 8
  @Option(help: "The maximum size of a body, in bytes.") var bodyLimit = 16_384
  @Option(help: "The maximum number of requests to a tree in a second.") var rate = 20.0
  @Option(help: "The maximum number of requests of a caller in a second.") var callerRate = 200.0
  @Option(help: "The maximum number of requests over a connection in a second.") var connectionRate = 2_000.0
  @Option(help: "The time for a call, in seconds.") var timeout = 5.0
  @Option(help: "The time for the shutdown, in seconds. Less than what the orchestrator gives.") var shutdown = 25.0
  @Option(help: "How long the server answers after it is not ready any more, in seconds: at most --shutdown / 4.")
  var drain = 0.0
  @Option(help: "The lease, in seconds: how long trees are unreachable after a machine is lost.") var lease = 10.0
  @Option(help: "Name code of a tree that runs for longer without a pause, in seconds; 0 for none.") var turnLimit = 2.0
  @Option(help: "End the process (SIGABRT) if such code runs for longer, in seconds; 0 to let it run.") var turnAbort =
    0.0

  @Option(help: "The least important messages to log: debug, info, warning or error.") var log = "info"
  @Option(help: "How messages are written to standard error: as text, or as JSON, with one object on each line.")
  var logFormat = LogFormat.text

  enum LogFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

  /// Creates arguments to be parsed.
  public init() {}

  /// Checks that the values fit together.
  public func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
    guard adminPort.map({ (1...65_535).contains($0) && $0 != port }) ?? true else {
      throw ValidationError("--admin-port must be from 1 to 65535, and not --port.")
    }
    // Without tokens, no caller can be an operator.
    guard adminPort == nil || hasTokens else { throw ValidationError("--admin-port needs --tokens.") }
    guard min(trees, callsPerTree, opensAtOnce, connections, followers, followersPerTree, bodyLimit) > 0,
      // Neither is infinity, nor what is no number.
      [rate, callerRate, connectionRate, timeout, shutdown, lease].allSatisfy({ $0 > 0 && $0 < 1e9 }),
      [drain, idleAfter, turnLimit, turnAbort].allSatisfy({ (0..<1e9).contains($0) }),
      (0..<1 << 40).contains(memoryLimit)
    else { throw ValidationError("Limits and times must be positive, and less than 1e9.") }
    guard turnAbort == 0 || turnAbort >= turnLimit && turnLimit > 0 else {
      throw ValidationError("--turn-abort must be at least --turn-limit, and needs one.")
    }
    guard drain <= shutdown / 4 else { throw ValidationError("--drain must be at most a quarter of --shutdown.") }
    // Without one, the trees of this process could not be reached by the others.
    guard address.isHostAndPort || (address.isEmpty && !storeChoice.isShared) else {
      throw ValidationError("--address must be HOST:PORT, another one for each process that shares a store.")
    }
    guard Logger.Level(rawValue: log) != nil else {
      throw ValidationError("--log must be debug, info, warning or error.")
    }
  }

  /// The variable of the environment with the secret of all processes that share a store. Arguments can be read by other users.
  public static let hopSecret = "RIBS_HOP_SECRET"

  /// The tokens of callers; nil without `--tokens`.
  ///
  /// - Throws: a `ValidationError` if they can't be read.
  public func bearerTokens() throws -> BearerTokens? {
    do {
      return try tokens.map { try BearerTokens(file: $0) }
    } catch {
      throw ValidationError("--tokens: \(error)")
    }
  }

  /// Whether the callers have tokens.
  public var hasTokens: Bool { tokens != nil }

  /// Whether only this machine can connect.
  public var isLocal: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

  private var storeChoice: StoreChoice { StoreChoice(store) }

  /// Opens the store, by `StoreChoice.open(for:lease:database:sqlite:)`.
  ///
  /// - Throws: a `ValidationError` if it can't be opened.
  public func openStore(
    for program: String, database: StoreChoice.Opener?, sqlite: StoreChoice.Opener? = nil
  ) async throws -> (store: (any TreeStore)?, place: String) {
    do {
      return try await storeChoice.open(for: program, lease: options.lease, database: database, sqlite: sqlite)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// A logger that writes to standard error.
  public func logger(_ label: String) -> Logger {
    var logger = Logger(label: label) { label in
      switch logFormat {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler.standardError(label: label)
      }
    }
    logger.logLevel = Logger.Level(rawValue: log) ?? .info
    return logger
  }

  /// The settings of the server.
  public var options: ServerOptions {
    var options = ServerOptions()
    (options.host, options.port, options.address) = (host, port, address)
    (options.adminHost, options.adminPort) = (adminHost, adminPort)
    (options.trees, options.connections, options.followers) = (trees, connections, followers)
    (options.followersPerTree, options.bodyLimit) = (followersPerTree, bodyLimit)
    (options.idleAfter, options.callsPerTree, options.opensAtOnce) = (.seconds(idleAfter), callsPerTree, opensAtOnce)
    (options.ratePerTree, options.ratePerCaller, options.ratePerConnection) = (rate, callerRate, connectionRate)
    options.memoryLimit = memoryLimit > 0 ? memoryLimit << 20 : nil
    options.hopSecret = ProcessInfo.processInfo.environment[ServerArguments.hopSecret]
    (options.timeout, options.shutdown) = (.seconds(timeout), .seconds(shutdown))
    (options.drain, options.lease) = (.seconds(drain), .seconds(lease))
    options.watchdog =
      turnLimit > 0
      ? TurnWatchdog(limit: .seconds(turnLimit), endsProcessAfter: turnAbort > 0 ? .seconds(turnAbort) : nil) : nil
    return options
  }
}

extension DescriptorLimit {
  /// Raises the limit as far as the system allows, and warns if that is too low for so many connections.
  public static func raise(for connections: Int, _ logger: Logger) {
    let limit = raise()
    guard connections >= limit else { return }
    logger.warning(
      "--connections is higher than the number of file descriptors. Raise the limit (ulimit -n), or lower --connections.",
      metadata: ["connections": "\(connections)", "descriptors": "\(limit)"])
  }
}

extension String {
  fileprivate var isHostAndPort: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1, let port = parts.last.flatMap({ UInt16($0) }), port > 0 else { return false }
    return URL(string: "http://\(self)")?.host?.isEmpty == false
  }
}
