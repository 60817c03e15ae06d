import RIBs

/// A worker that writes its callbacks to a log and does what a test tells it to do in them.
class ScriptedWorker: Worker {
  let name: String
  var onStart: ((ScriptedWorker) -> Void)?
  var onStop: ((ScriptedWorker) -> Void)?
  var onFail: ((any Error) -> Void)?
  var onDeinit: (() -> Void)?
  private let log: Log

  init(_ name: String = "worker", _ log: Log = Log()) {
    self.name = name
    self.log = log
  }

  deinit { onDeinit?() }

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    log.lines.append("\(name) starts")
    onStart?(self)
  }

  override func didStop() {
    super.didStop()
    log.lines.append("\(name) stops")
    onStop?(self)
  }

  override func didFail(_ error: any Error) {
    if let onFail { onFail(error) } else { super.didFail(error) }
  }
}
