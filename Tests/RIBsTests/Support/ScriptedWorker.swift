// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

/// A worker that writes its callbacks to a transcript and does in them what a test asks for.
class ScriptedWorker: Worker {
  let name: String
  var onStart: ((ScriptedWorker) -> Void)?
  var onStop: ((ScriptedWorker) -> Void)?
  var onFail: ((any Error) -> Void)?
  var onDeinit: (() -> Void)?
  /// What a test reaches through the worker.
  weak var attachment: AnyObject?
  private let transcript: Transcript?

  init(_ name: String = "worker", in transcript: Transcript? = nil) {
    self.name = name
    self.transcript = transcript
  }

  deinit { onDeinit?() }

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    transcript?.write("\(name) starts")
    onStart?(self)
  }

  override func didStop() {
    super.didStop()
    transcript?.write("\(name) stops")
    onStop?(self)
  }

  override func didFail(_ error: any Error, of work: BoundWork) {
    if let onFail { onFail(error) } else { super.didFail(error, of: work) }
  }
}
