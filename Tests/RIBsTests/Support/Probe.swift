// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

/// A RIB that writes down its callbacks and does in them what a test asks for.
final class ProbeRouter: Router<ProbeInteractor> {
  let name: String
  var onLoad: (ProbeRouter) -> Void = { _ in }
  var onDeinit: () -> Void = {}
  private let transcript: Transcript?

  init(_ name: String, in transcript: Transcript? = nil) {
    self.name = name
    self.transcript = transcript
    super.init(interactor: ProbeInteractor(name, in: transcript))
  }

  deinit {
    transcript?.write("\(name) deinit")
    onDeinit()
  }

  override func didLoad() {
    super.didLoad()
    transcript?.write("\(name) didLoad")
    onLoad(self)
  }

  /// The names of the children.
  var childNames: [String] { children.map { ($0 as? ProbeRouter)?.name ?? "?" } }
}

final class ProbeInteractor: Interactor {
  let name: String
  var onActive: (ProbeInteractor) -> Void = { _ in }
  var onResign: (ProbeInteractor) -> Void = { _ in }
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
}
