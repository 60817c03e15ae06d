// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs
internal import Synchronization

/// Shows trees of this process to other processes of the same user, and to root. It shows the trees that are
/// configured with it.
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
/// replayed. Reading, encoding and sending use at most 2 % of one processor. If events arrive faster than that, or
/// faster than a client reads, the oldest are lost and the client receives their number. When the last client leaves,
/// the ring is discarded. Without clients, attaching and detaching a child takes at most 2 % more instructions than without
/// an inspector, which `Scripts/check-watching` checks.
///
/// It shows trees until it is stopped, or until it and all trees that use it are released.
///
/// ## Protocol
///
/// Any program of the same user, or of root, can connect and exchange lines of JSON. A request has at most 4,096 bytes and is
/// answered before the next one is read:
///
/// ```
/// {"version":1,"request":"trees"}
/// {"version":1,"request":"snapshot","tree":3,"timeout":10}
/// {"version":1,"request":"snapshots","timeout":10}
/// {"version":1,"request":"events"}
/// {"version":1,"request":"events","tree":3,"replay":true}
/// ```
///
/// `snapshots` is answered with a `snapshot` of each tree, one after another, as fast as the client reads them, and with
/// `complete` after the last. A tree that does not answer within `timeout` seconds, 10 without the field, has an `error`
/// with its number instead, and so does `snapshot`. If it is known, the message says what the tree runs. The list of trees
/// has a field `busy` with that text for a tree that has run the same code for a second or longer, and has a
/// `TreeConfiguration.watchdog`. The inspector answers on its own thread, also while trees occupy all cores.
///
/// Without `tree`, events are those of all trees, including trees launched later. With `replay`, recorded events come
/// first. After `following` the client sends no more requests: events arrive until the client disconnects or the tree
/// ends. `lost` is the number of events missing at that point. The field `answer` names the kind of an answer:
///
/// ```
/// {"version":1,"answer":"trees","process":4711,"name":"taxi","trees":[{"id":3,"name":"Root","age":1.5}]}
/// {"version":1,"answer":"snapshot","tree":3,"snapshot":{"version":1,"nodes":[…]},"keyframe":{"number":12,…}}
/// {"version":1,"answer":"complete"}
/// {"version":1,"answer":"following"}
/// {"version":1,"answer":"event","event":{"tree":3,"number":1,"kind":"attached","path":["Root","Ride"],…}}
/// {"version":1,"answer":"lost","count":12}
/// {"version":1,"answer":"ended","tree":3}
/// {"version":1,"answer":"error","message":"…"}
/// ```
///
/// An event has `changes`, and a snapshot a `keyframe` with the `number` of the last event before it, from which
/// `TreeFold` computes the snapshot after each event.
///
/// Requests and fields may be added: a client ignores fields that it does not know, and uses older requests if an older
/// process refuses a request with an `error`. Without `snapshots`, it requests each `snapshot`. `version` changes when
/// existing fields change their meaning.
///
/// At most 64 clients are connected at a time, of which 48 may follow events. When another client connects, the
/// client that has been idle longest is disconnected; if all are busy, the new client receives an error. A client
/// that reads nothing of its answers for a minute is disconnected. An inspector keeps a quarter of the process's file
/// descriptors free, at least 4 and at most 64, and refuses clients that would need them.
public final class Inspector: TreeObserver {
  /// The path of the inspector's socket.
  public let socketPath: String

  private let server: InspectorServer
  private let recorder: TreeRecorder?
  private let hasStopped = Atomic(false)

  private init(server: InspectorServer, _ recorder: TreeRecorder?, socketPath: String) {
    self.server = server
    self.recorder = recorder
    self.socketPath = socketPath
  }

  deinit { stop(waits: false) }

  /// Creates the socket and starts to answer.
  ///
  /// - Parameters:
  ///   - recordsFromStart: whether the events of all trees are recorded from launch, even while no client follows
  ///     them. Recording costs a tree as much as being followed.
  ///   - recording: where the events of all trees are recorded, to be shown at any time later; nil for nowhere. Read it
  ///     with `TreeRecording`. A tree never waits for it: events that are too many are lost and counted. If it can't be
  ///     written any more, it stops with a line on standard error, and the trees continue.
  ///   - dumpsOnSignal: whether the signal `SIGUSR1` writes the trees to standard error as text. A tree that does not answer
  ///     within 10 seconds has a line that says so.
  ///   - directory: the directory of the socket, created if it does not exist. Defaults to the usual directory.
  /// - Returns: the inspector, to be passed to trees in their configuration.
  /// - Throws: an `InspectorError` if the socket or the recording can't be created.
  public static func start(
    recordsFromStart: Bool = false, recording: Recording? = nil, dumpsOnSignal: Bool = false, directory: String? = nil
  ) throws(InspectorError) -> Inspector {
    try start(recordsFromStart, dumpsOnSignal, directory, InspectorLimits(), recording)
  }

  static func start(
    _ recordsFromStart: Bool, _ dumpsOnSignal: Bool, _ directory: String?, _ limits: InspectorLimits,
    _ recording: Recording? = nil
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
    do throws(InspectorError) {
      // Last, because it empties an earlier recording.
      let recorder: TreeRecorder? = if let recording { try TreeRecorder(recording) } else { nil }
      return Inspector(server: server, recorder, socketPath: path)
    } catch {
      Inspector(server: server, nil, socketPath: path).stop()
      throw error
    }
  }

  /// Removes the socket and stops answering. The trees continue. A recording is complete when this returns.
  public func stop() { stop(waits: true) }

  private func stop(waits: Bool) {
    guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
    recorder?.stop(waits: waits)
    unlink(socketPath)
    server.registry.close()
    server.later { [server] stopping in
      stopping.stop()
      withExtendedLifetime(server) {}
    }
  }

  public func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? {
    let followed = server.registry.add(tree)
    guard let recorder, let id = server.registry.id(of: tree) else { return followed }
    let recorded = recorder.add(tree, id)
    guard let followed else { return recorded }
    return either(recorded, followed)
  }

  public func treeDidEnd(_ tree: TreeHandle) {
    if let recorder, let id = server.registry.id(of: tree) { recorder.remove(id) }
    server.registry.remove(tree)
  }

  /// Two observers as one, which observes until both have stopped.
  private func either(
    _ one: @escaping TreeHandle.Observer, _ other: @escaping TreeHandle.Observer
  ) -> TreeHandle.Observer {
    let (firstObserves, secondObserves) = (Observing(), Observing())
    return { event in
      if firstObserves.value, !one(event) { firstObserves.value = false }
      if secondObserves.value, !other(event) { secondObserves.value = false }
      return firstObserves.value || secondObserves.value
    }
  }

  private final class Observing: Sendable {
    private let state = Atomic(true)

    var value: Bool {
      get { state.load(ordering: .relaxed) }
      set { state.store(newValue, ordering: .relaxed) }
    }
  }
}
