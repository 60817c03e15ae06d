// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

/// A router that records its callbacks, and runs a test's closures in them.
final class ProbeRouter: Router<ProbeInteractor> {
  var name: String { interactor.name }

  init(_ name: String, in transcript: Transcript? = nil) {
    super.init(interactor: ProbeInteractor(name, in: transcript))
  }
}

final class ProbeInteractor: Interactor {
  let name: String
  var onActive: (ProbeInteractor) -> Void = { _ in }
  var onResign: (ProbeInteractor) -> Void = { _ in }
  var onFail: (any Error) -> Void = { _ in }
  var onChildFailure: ((ChildFailure) -> Void)?
  private let transcript: Transcript?

  init(_ name: String, in transcript: Transcript? = nil) {
    self.name = name
    self.transcript = transcript
  }

  deinit { transcript?.write("\(name) gone") }

  override func didBecomeActive() {
    super.didBecomeActive()
    transcript?.write("\(name) active \(isActive)")
    onActive(self)
  }

  override func willResignActive() {
    super.willResignActive()
    transcript?.write("\(name) resigns \(isActive)")
    onResign(self)
  }

  override func childDidFail(_ failure: ChildFailure) {
    if let onChildFailure { onChildFailure(failure) } else { super.childDidFail(failure) }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { onFail(error) }
}

struct Failure: Error, Hashable, CustomStringConvertible {
  var description: String { "Failure" }
}

/// The kinds of misuse outside any tree while a closure ran.
func misuses(_ body: () -> Void) -> [Misuse.Kind] { recordMisuses(body).map(\.kind) }

/// An actor for a tree.
actor Stage {
  func run<Value: Sendable>(_ body: @Sendable (isolated Stage) throws -> Value) rethrows -> Value { try body(self) }
}
