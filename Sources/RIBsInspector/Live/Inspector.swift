internal import Foundation
public import RIBs
internal import Synchronization

/// Shows the trees of this process to other processes of the same user: those trees that it is handed to.
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
/// It answers on a Unix domain socket that is named after the process, in a directory that nobody else can enter:
/// `$XDG_RUNTIME_DIR/ribs`, or else one for each user in the temporary directory. `InspectorClient` talks to it.
///
/// A tree never waits for an inspector. A snapshot holds it for some hundred nanoseconds a RIB; drawing and sending run
/// elsewhere.
///
/// While a client follows events, trees store them in a ring of the last 4,096 events, which the clients read from and of
/// which the last 1,000 can be replayed. Reading, encoding and sending takes at most a fortieth of one processor. When
/// trees make events faster than that, or than a client reads, the oldest are lost, and the client gets their number. When
/// the last client leaves, the ring is discarded and the trees cost the same as without an inspector again.
///
/// It shows trees until it is stopped, or until it and all trees that know it are gone.
///
/// ## For other programs
///
/// Any program of the user can talk to it in lines of JSON. A request has at most 4,096 bytes, and is answered before the
/// next one is read:
///
/// ```
/// {"version":1,"request":"trees"}
/// {"version":1,"request":"snapshot","tree":3}
/// {"version":1,"request":"events"}
/// {"version":1,"request":"events","tree":3,"replay":true}
/// ```
///
/// Without `tree`, events are those of all trees, also of those launched later; with `replay` those come first that were
/// recorded for other clients. After `following` nothing more is asked: events come until the client leaves or the tree has
/// ended. `lost` says how many events are missing before what follows. Each answer says in `answer` what it is; fields may
/// be added, and `version` changes when old ones change their meaning:
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
/// At most 64 clients are connected at a time, 48 of which follow events. When a further client comes, the one that has been
/// idle for longest is disconnected; if all are busy, the further client gets an error. A client that reads nothing of its
/// answers for a minute is disconnected. An inspector leaves a quarter of the process's file descriptors free, at least 4
/// and at most 64, and refuses clients that would need them.
public final class Inspector: TreeObserver {
  /// Where the inspector answers.
  public let socketPath: String

  private let server: InspectorServer
  private let hasStopped = Atomic(false)

  private init(server: InspectorServer, socketPath: String) {
    self.server = server
    self.socketPath = socketPath
  }

  deinit { stop() }

  /// Makes the socket and begins to answer.
  ///
  /// - Parameters:
  ///   - recordsFromStart: whether the events of all trees are recorded from their launch on, also while no client follows
  ///     them. Recording costs a tree what following costs it.
  ///   - dumpsOnSignal: whether the signal `SIGUSR1` has the trees written to standard error as text.
  ///   - directory: where to make the socket; nil for the usual directory. It is made if it is not there.
  /// - Returns: the inspector, to be handed to trees by their configuration.
  /// - Throws: an `InspectorError` that says why there can't be a socket.
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

  /// Removes the socket and stops answering. The trees go on.
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
