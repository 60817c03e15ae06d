import RIBs
import RIBsTesting

/// Writes down what happens, in order.
final class Log {
  var lines: [String] = []
}

/// A RIB that writes down its callbacks and does what a test tells it to do in them.
final class ProbeRouter: Router<ProbeInteractor> {
  let name: String
  var onLoad: (ProbeRouter) -> Void = { _ in }
  var onDeinit: () -> Void = {}
  /// Something that lives as long as this router: a child held in a property, for example.
  var keepsake: AnyObject?
  private let write: (String) -> Void

  init(_ name: String, in transcript: Transcript) {
    self.name = name
    write = { transcript.write($0) }
    super.init(interactor: ProbeInteractor(name, in: transcript))
  }

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    write = { log.lines.append($0) }
    super.init(interactor: ProbeInteractor(name, log))
  }

  deinit {
    write("\(name) deinit")
    onDeinit()
  }

  override func didLoad() {
    super.didLoad()
    write("\(name) didLoad")
    onLoad(self)
  }

  /// The names of the children.
  var childNames: [String] { children.map { ($0 as? ProbeRouter)?.name ?? "?" } }
}

final class ProbeInteractor: Interactor {
  let name: String
  var onActive: (ProbeInteractor) -> Void = { _ in }
  var onResign: (ProbeInteractor) -> Void = { _ in }
  private let write: (String) -> Void

  init(_ name: String, in transcript: Transcript) {
    self.name = name
    write = { transcript.write($0) }
  }

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    write = { log.lines.append($0) }
  }

  deinit { write("\(name) gone") }

  override func didBecomeActive() {
    super.didBecomeActive()
    write("\(name) active \(isActive)")
    onActive(self)
  }

  override func willResignActive() {
    super.willResignActive()
    write("\(name) resigns \(isActive)")
    onResign(self)
  }
}
