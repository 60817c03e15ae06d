import Hummingbird
import HummingbirdCore
import NIOCore
import RIBsStore

/// The settings of a `TaxiServer`, with defaults for a demonstration.
public struct ServerOptions: Sendable {
  public var host = "127.0.0.1"
  /// Zero for any free port.
  public var port = 8080
  /// How other processes reach this one, such as `10.0.0.7:8080`; empty if there are none.
  public var address = ""
  /// How many seconds of an order pass in a second, from 1 to 1,000.
  public var speed = 30
  /// After how many orders a credit card is declined once; nil for never.
  public var ordersUntilDecline: Int? = 3
  /// The maximum number of riders whose trees are awake.
  public var riders = 100_000
  public var idleAfter = Duration.seconds(600)
  public var lease = Duration.seconds(10)
  /// The maximum number of connections. Others wait.
  public var connections = 19_000
  public var followers = 15_000
  public var followersPerRider = 8
  /// In requests a second.
  public var ratePerRider = 20.0
  /// In requests a second.
  public var ratePerConnection = 2_000.0
  /// In bytes.
  public var bodyLimit = 16_384
  /// In bytes: all headers of a request.
  public var headerLimit = 16_384
  /// For each call, whatever it waits for.
  public var timeout = Duration.seconds(5)
  /// How long a connection may be silent that has no request.
  public var idleConnection = Duration.seconds(60)
  /// The time between comments to followers.
  public var heartbeat = Duration.seconds(15)
  /// The time for the whole shutdown.
  public var shutdown = Duration.seconds(10)
  /// How long the server answers after it is not ready any more, within the time of the shutdown.
  public var drain = Duration.zero

  /// How long the server is not ready after a failure of the store.
  public var storeMemory = Duration.seconds(3)

  public init() {}

  var directory: DirectoryConfiguration {
    DirectoryConfiguration(idleAfter: idleAfter, limit: riders, lease: lease, address: address)
  }

  var http: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      idleTimeout: TimeAmount(idleConnection),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: headerLimit, maxHeaderListSize: headerLimit, maxHeaderFieldCount: 100))
  }
}
