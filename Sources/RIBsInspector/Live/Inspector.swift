internal import Foundation
public import RIBs
internal import Synchronization

/// Shows trees of this process to other processes of the same user. It shows the trees that are configured with it.
///
/// ```swift
/// let inspector = try Inspector.start()
/// let session = await TreeHost(configuration: TreeConfiguration(inspector: inspector)) {
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// …
/// await session.shutdown(timeout: .seconds(5))
/// ```
///
/// It answers on a Unix domain socket named after the process, in a directory that only the user can enter:
/// `$XDG_RUNTIME_DIR/ribs`, or a per-user directory in the temporary directory. `InspectorClient` connects to it.
///
/// A tree never waits for an inspector. A snapshot occupies the tree's actor for a few hundred nanoseconds a RIB;
/// encoding and sending run elsewhere.
///
/// While a client follows events, trees store them in a ring buffer of 4,096 events, of which the last 1,000 can be
/// replayed. Reading, encoding and sending use at most 2.5 % of one processor. If events arrive faster than that, or
/// faster than a client reads, the oldest are lost and the client receives their number. When the last client leaves,
/// the ring is discarded and the trees cost the same as without an inspector again.
///
/// It shows trees until it is stopped, or until it and all trees that use it are released.
///
/// ## Protocol
///
/// Any program of the same user can connect and exchange lines of JSON. A request has at most 4,096 bytes and is
/// answered before the next one is read:
///
/// ```
/// {"version":1,"request":"trees"}
/// {"version":1,"request":"snapshot","tree":3}
/// {"version":1,"request":"events"}
/// {"version":1,"request":"events","tree":3,"replay":true}
/// ```
///
/// Without `tree`, events are those of all trees, including trees launched later. With `replay`, recorded events come
/// first. After `following` the client sends no more requests: events arrive until the client disconnects or the tree
/// ends. `lost` is the number of events missing at that point. The field `answer` names the kind of an answer. Fields
/// may be added; `version` changes when existing fields change their meaning:
///
/// ```
/// {"version":1,"answer":"trees","process":4711,"name":"taxi","trees":[{"id":3,"name":"Root","age":1.5}]}
/// {"version":1,"answer":"snapshot","tree":3,"snapshot":{"version":1,"nodes":[…]}}
/// {"version":1,"answer":"following"}
/// {"version":1,"answer":"event","event":{"tree":3,"number":1,"kind":"attached","path":["Root","Ride"],…}}
/// {"version":1,"answer":"lost","count":12}
/// {"version":1,"answer":"ended","tree":3}
/// {"version":1,"answer":"error","message":"…"}
/// ```
///
/// At most 64 clients are connected at a time, of which 48 may follow events. When another client connects, the
/// client that has been idle longest is disconnected; if all are busy, the new client receives an error. A client
/// that reads nothing of its answers for a minute is disconnected. An inspector keeps a quarter of the process's file
/// descriptors free, at least 4 and at most 64, and refuses clients that would need them.
public final class Inspector: TreeObserver {
  /// The path of the inspector's socket.
  public let socketPath: String

  private let server: InspectorServer
  private let hasStopped = Atomic(false)

  private init(server: InspectorServer, socketPath: String) {
    self.server = server
    self.socketPath = socketPath
  }

  deinit { stop() }

  /// Creates the socket and starts to answer.
  ///
  /// - Parameters:
  ///   - recordsFromStart: whether the events of all trees are recorded from launch, even while no client follows
  ///     them. Recording costs a tree as much as being followed.
  ///   - dumpsOnSignal: whether the signal `SIGUSR1` writes the trees to standard error as text.
  ///   - directory: the directory of the socket, created if it does not exist. Defaults to the usual directory.
  /// - Returns: the inspector, to be passed to trees in their configuration.
  /// - Throws: an `InspectorError` if the socket can't be created.
  public static func start(
    recordsFromStart: Bool = false, dumpsOnSignal: Bool = false, directory: String? = nil
  ) throws(InspectorError) -> Inspector {
    try start(recordsFromStart, dumpsOnSignal, directory, InspectorLimits())
  }

  static func start(
    _ recordsFromStart: Bool, _ dumpsOnSignal: Bool, _ directory: String?, _ limits: InspectorLimits
  ) throws(InspectorError) -> Inspector {
    let (socket, path) = try SocketDirectory(directory).listen()
    let server: InspectorServer
    do throws(InspectorError) {
      server = try InspectorServer(
        socket: socket, recordsAll: recordsFromStart, dumpsOnSignal: dumpsOnSignal, limits: limits)
    } catch {
      unlink(path)
      throw error
    }
    return Inspector(server: server, socketPath: path)
  }

  /// Removes the socket and stops answering. The trees continue.
  public func stop() {
    guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
    unlink(socketPath)
    server.registry.close()
    server.later { [server] stopping in
      stopping.stop()
      withExtendedLifetime(server) {}
    }
  }

  public func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? { server.registry.add(tree) }

  public func treeDidEnd(_ tree: TreeHandle) { server.registry.remove(tree) }
}
