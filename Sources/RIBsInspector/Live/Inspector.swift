internal import Dispatch
internal import Foundation
public import RIBs
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Shows the trees of this process to other processes of the same user: those trees that it is handed to.
///
/// ```swift
/// let inspector = try Inspector.start()
/// let session = await TreeHost(configuration: TreeConfiguration(inspector: inspector)) {
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// ```
///
/// It answers on a Unix domain socket that is named after the process, in a directory that nobody else can enter:
/// `$XDG_RUNTIME_DIR/ribs`, or else one for each user in the temporary directory. `InspectorClient` talks to it, and so can
/// any program that reads and writes lines of JSON: `{"request":"trees"}`.
///
/// A tree never waits for an inspector. While nobody follows its events, it costs the same as without one; a snapshot holds
/// it for some hundred nanoseconds a RIB, and whatever is done with it is done elsewhere. From the first time that its
/// events are followed, the last 1,000 events of all such trees are kept for those who ask later.
///
/// It shows trees until it is stopped, or until it and all trees that know it are gone.
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
    let server = InspectorServer(socket: socket, watchesAll: recordsFromStart, patience: patience)
    // When this returns, the signal does no harm any more.
    server.now { $0.start(dumpsOnSignal: dumpsOnSignal) }
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
