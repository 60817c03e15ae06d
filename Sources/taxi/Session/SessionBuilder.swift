// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SessionDependency: Dependency {
  /// Writes a line.
  var log: (String) -> Void { get }
}

final class SessionRouter: Router<SessionInteractor> {}

/// Builds the session of a rider.
final class SessionBuilder: Builder<any SessionDependency> {
  func build(number: Int, isStuck: Bool) -> SessionRouter {
    SessionRouter(interactor: SessionInteractor(number: number, isStuck: isStuck, log: dependency.log))
  }
}
