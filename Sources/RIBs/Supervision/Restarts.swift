// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// How often a container restarts children that fail, and after which pauses.
///
/// A container knows how its children are made, so it can make a failed one anew:
///
/// ```swift
/// final class TripRouter: Router<TripInteractor> {
///   let rideBuilder: RideBuildable
///
///   private lazy var ride = ChildSlot<RideID>(of: self, restarts: .upTo(3, within: .seconds(60))) { router, ride in
///     router.rideBuilder.build(ride: ride)
///   }
///
///   init(interactor: TripInteractor, rideBuilder: RideBuildable) {
///     self.rideBuilder = rideBuilder
///     super.init(interactor: interactor)
///   }
///
///   func routeToRide(_ id: RideID) { ride.route = id }
/// }
/// ```
///
/// The number and the period are those of a supervisor in Erlang/OTP (erlang.org, "Supervisor Behaviour", "Maximum
/// Restart Intensity"), where restarts multiply over the levels of a tree in the same way: three restarts of a child
/// in each of three restarts of its parent are nine. See <doc:HandlingFailures>.
public struct Restarts: Hashable, Sendable {
  /// The number of restarts within the period.
  public let limit: Int
  /// The period in which restarts count, on the tree's clock.
  public let period: Duration
  /// The pauses before the restarts.
  public let backoff: Backoff
  /// The state of the new child, in a tree that is saved.
  public let state: State

  /// Whether the container decides about failures of its children: not with `never`.
  let supervises: Bool

  /// No restarts: a child that calls `fail(_:)` is detached, and its parent decides. An error of bound work that nothing
  /// handles is left to a container above.
  public static let never = Restarts(
    limit: 0, period: .zero, backoff: .exponential(), state: .saved, supervises: false)

  /// A limited number of restarts of each child within any period of a length.
  ///
  /// - Parameters:
  ///   - limit: the number of restarts. With zero or less there are none: the first failure of the child detaches it, and
  ///     its parent decides. An error of bound work that nothing handles is such a failure.
  ///   - period: the length of the period, on the tree's clock. A restart that lies further back does not count. With
  ///     zero or less there are no restarts, because none would ever count against the limit. The limit is reached only
  ///     if the period is longer than the pauses of that many restarts together.
  ///   - backoff: the pauses. The first restart within the period has the first pause.
  ///   - state: the state of the new child, in a tree that is saved.
  public static func upTo(
    _ limit: Int, within period: Duration, after backoff: Backoff = .exponential(), with state: State = .saved
  ) -> Restarts {
    Restarts(
      limit: period > .zero ? max(limit, 0) : 0, period: period.boundedTimeout, backoff: backoff, state: state,
      supervises: true)
  }

  /// The number of restarts within the period so far, and their limit.
  public struct Count: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of restarts.
    public let made: Int
    /// The number of restarts that are made at most.
    public let limit: Int

    package init(made: Int, limit: Int) {
      self.made = made
      self.limit = limit
    }

    /// Both numbers: `2 of 3`.
    public var description: String { "\(made) of \(limit)" }
  }
}

extension Restarts {
  /// The state of a child that is restarted in a tree with `TreeConfiguration.saving`.
  ///
  /// In a tree that is not saved, a restarted child always begins anew. State that must survive its failure belongs in its
  /// parent, or in a model that the parent passes to the builder.
  public enum State: Hashable, Sendable {
    /// What was last saved of the child and of all below it, as after a restart of the process. What it has changed since is
    /// lost, and calls that wait until that is saved throw a `TreeFailure`. The children of a list that is not listed in
    /// `savedChildren` are not saved, so they begin anew.
    case saved
    /// None: the child begins anew, and its saved state is overwritten. For a child whose state may be the cause of its
    /// failures, and can be rebuilt.
    case fresh
  }
}

/// What the events of a restarted RIB have.
struct RestartDetail: Sendable {
  let count: Restarts.Count
  var isRestored = false
}

extension TreeEvent {
  /// The number of restarts of the RIB within the period of its container.
  public var restarts: Restarts.Count? { detail(RestartDetail.self)?.count }
  /// Whether the restarted RIB has what was last saved of it. Not in a tree that is not saved, nor before its first save.
  public var isRestored: Bool { detail(RestartDetail.self)?.isRestored ?? false }
}
