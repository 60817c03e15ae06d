import RIBs

/// Writes down what happens, in order.
final class Log {
  var lines: [String] = []
}

/// A RIB that writes its callbacks to a log and does what a test tells it to do in them.
final class ProbeRouter: Router<ProbeInteractor> {
  let name: String
  var onLoad: (ProbeRouter) -> Void = { _ in }
  var onDeinit: () -> Void = {}
  /// Something that lives as long as this router: a child held in a property, for example.
  var keepsake: AnyObject?
  private let log: Log

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    self.log = log
    super.init(interactor: ProbeInteractor(name, log))
  }

  deinit {
    log.lines.append("\(name) deinit")
    onDeinit()
  }

  override func didLoad() {
    super.didLoad()
    log.lines.append("\(name) didLoad")
    onLoad(self)
  }

  /// The names of the children.
  var childNames: [String] { children.map { ($0 as? ProbeRouter)?.name ?? "?" } }
}

final class ProbeInteractor: Interactor {
  let name: String
  var onActive: (ProbeInteractor) -> Void = { _ in }
  var onResign: (ProbeInteractor) -> Void = { _ in }
  private let log: Log

  init(_ name: String, _ log: Log = Log()) {
    self.name = name
    self.log = log
  }

  deinit { log.lines.append("\(name) gone") }

  override func didBecomeActive() {
    super.didBecomeActive()
    log.lines.append("\(name) active \(isActive)")
    onActive(self)
  }

  override func willResignActive() {
    super.willResignActive()
    log.lines.append("\(name) resigns \(isActive)")
    onResign(self)
  }
}
