import RIBsStore
import Synchronization

/// Whether the process should get requests.
final class Health: Sendable {
  private let memory: Duration
  private let followers: Followers
  private let lastFailure = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter memory: how long the process is not ready after a failure of the store. While it fails, that is reported
  ///   each second.
  init(followers: Followers, memory: Duration) { (self.followers, self.memory) = (followers, memory) }

  /// Nil if the process is ready.
  var reasonNotReady: String? {
    if followers.isDraining { return "The server is stopping." }
    return lastFailure.withLock { $0.map { $0.duration(to: .now) < memory } ?? false } ? "The store fails." : nil
  }

  func record<ID: Sendable>(_ event: DirectoryEvent<ID>) {
    switch event {
    case .storeFailed: lastFailure.withLock { $0 = .now }
    case .storeRecovered: lastFailure.withLock { $0 = nil }
    default: break
    }
  }
}
