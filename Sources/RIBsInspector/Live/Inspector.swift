internal import Dispatch
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
/// await session.shutdown(deadline: .seconds(5))
/// ```
///
/// It answers on a Unix domain socket that is named after the process, in a directory that nobody else can enter:
/// `$XDG_RUNTIME_DIR/ribs`, or else one for each user in the temporary directory. `InspectorClient` talks to it.
///
/// A tree never waits for an inspector. While nobody follows its events, it costs the same as without one; a snapshot holds
/// it for some hundred nanoseconds a RIB, and whatever is done with it is done elsewhere. From the first time that its
/// events are followed, the last 1,000 events of all such trees are kept for those who ask later.
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
/// Without `tree`, events are those of all trees, also of those launched later; with `replay` those come first that are
/// still known. After `following` nothing more is asked: events come until the client leaves or the tree has ended. Each
/// answer says in `answer` what it is; fields may be added, and `version` changes when old ones change their meaning:
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
/// A client that is a megabyte behind with its events loses those that follow, is told how many when it has read what
/// waits for it, and is dropped; so is one that reads nothing for a minute. There are at most 64 clients at a time.
public final class Inspector: TreeInspecting {
  /// Where the inspector answers.
  public let socketPath: String

  private let server: InspectorServer
  private let hasStopped = Atomic(false)
  private let lastTree = Atomic(0)

  private init(server: InspectorServer, socketPath: String) {
    self.server = server
    self.socketPath = socketPath
  }

  deinit { stop() }

  /// Makes the socket and begins to answer.
  ///
  /// - Parameters:
  ///   - recordsFromStart: whether the events of all trees are kept from their launch on, also when nobody follows them
  ///     yet. It costs what following events costs.
  ///   - dumpsOnSignal: whether the signal `SIGUSR1` has the trees written to standard error as text.
  ///   - directory: where to make the socket; nil for the usual directory. It is made if it is not there.
  /// - Returns: the inspector, to be handed to trees by their configuration.
  /// - Throws: an `InspectorError` that says why there can't be a socket.
  public static func start(
    recordsFromStart: Bool = false, dumpsOnSignal: Bool = false, directory: String? = nil
  ) throws(InspectorError) -> Inspector {
    try start(recordsFromStart, dumpsOnSignal, directory, patience: .seconds(60))
  }

  /// - Parameter patience: how long a client may read nothing of what waits for it before it is dropped.
  static func start(
    _ recordsFromStart: Bool, _ dumpsOnSignal: Bool, _ directory: String?, patience: DispatchTimeInterval
  ) throws(InspectorError) -> Inspector {
    let (socket, path) = try SocketDirectory(directory).listen()
    let server: InspectorServer
    do throws(InspectorError) {
      server = try InspectorServer(
        socket: socket, watchesAll: recordsFromStart, dumpsOnSignal: dumpsOnSignal, patience: patience)
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
    server.later { [server] stopping in
      stopping.stop()
      withExtendedLifetime(server) {}
    }
  }

  public func treeWillLaunch(_ tree: LiveTree) -> LiveTree.Observer? {
    let id = lastTree.wrappingAdd(1, ordering: .relaxed).newValue
    let tap = server.watchesLaunches ? EventTap() : nil
    server.later { $0.show(tree, as: id, tap: tap) }
    guard let tap else { return nil }
    return { event in tap.take(event) }
  }

  public func treeDidEnd(_ tree: LiveTree) { server.later { $0.hide(tree) } }
}
