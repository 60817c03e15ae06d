// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import NIOCore
public import RIBs
public import RIBsStore

/// The settings of a server of trees.
public struct ServerOptions: Sendable {
  /// The address to listen on.
  public var host = "127.0.0.1"
  /// Zero for any free port.
  public var port = 8080
  /// The address on which operators connect.
  public var adminHost = "127.0.0.1"
  /// The port for operators: `HTTPTrees.administration(adding:)`. Nil for none.
  public var adminPort: Int?
  /// How other processes reach this one, such as `10.0.0.7:8080`; empty if there are none.
  public var address = ""
  /// A secret of all processes that share the store, by which they recognize each other; nil if a forwarded request is
  /// treated as one of a client. At least 128 random bits.
  public var hopSecret: String?
  /// The maximum number of trees that are awake.
  public var trees = 100_000
  /// The maximum number of calls that use or wait for one tree.
  public var callsPerTree = 1_000
  /// The maximum number of trees that are opened at the same time after a crash, beside those of calls.
  public var opensAtOnce = 16
  /// How long a tree stays awake after its last call.
  public var idleAfter = Duration.seconds(600)
  /// The resident memory of the process, in bytes, above which idle trees are ended earlier; nil for none. Only on Linux.
  public var memoryLimit: Int?
  /// How long other processes wait before they take over the trees of this one.
  public var lease = Duration.seconds(10)
  /// The maximum number of connections. Others wait.
  public var connections = 19_000
  /// The maximum number of clients that follow trees.
  public var followers = 15_000
  /// The maximum number of those that follow one tree.
  public var followersPerTree = 8
  /// In requests a second, of all clients.
  public var ratePerTree = 20.0
  /// In requests a second, over all connections.
  public var ratePerCaller = 200.0
  /// In requests a second.
  public var ratePerConnection = 2_000.0
  /// The maximum size of a body, in bytes.
  public var bodyLimit = 16_384
  /// The maximum size of all headers of a request, in bytes.
  public var headerLimit = 16_384
  /// For each call, whatever it waits for.
  public var timeout = Duration.seconds(5)
  /// How long a connection may be silent that has no request.
  public var idleConnection = Duration.seconds(60)
  /// The time between comments to followers.
  public var heartbeat = Duration.seconds(15)
  /// The time for the whole shutdown. Half of it is for the trees: enough for 100,000 without unsaved changes in files. Less
  /// than the 30 seconds that Kubernetes gives.
  public var shutdown = Duration.seconds(25)
  /// How long the server answers after it is not ready any more: at most a quarter of the time of the shutdown.
  public var drain = Duration.zero
  /// How long a call of the store may take before the server is not ready.
  public var storePatience = Duration.seconds(2)
  /// The time between two rounds in which trees are restored and the lease is renewed.
  public var interval = Duration.seconds(1)
  /// Names turns that do not end, while they run, on standard error; nil for none. One for the process.
  public var watchdog: TurnWatchdog? = TurnWatchdog()

  /// The defaults, for a server that only this machine reaches.
  public init() {}

  /// The configuration of the directory.
  public var directory: DirectoryConfiguration {
    DirectoryConfiguration(
      idleAfter: idleAfter, limit: trees, interval: interval, lease: lease, address: address,
      opensAtOnce: opensAtOnce, callLimit: callsPerTree, memoryLimit: memoryLimit, watchdog: watchdog)
  }

  var http: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      idleTimeout: TimeAmount(idleConnection),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: headerLimit, maxHeaderListSize: headerLimit, maxHeaderFieldCount: 100))
  }
}
