import RIBs
import Testing

@Suite("What is scoped")
struct ScopedTests {
  private let log = Log()

  @Test("is made once for each declaration and activation, and disposed of when the interactor resigns, the last first")
  func once() {
    let interactor = Keeper(log)
    for round in 1...2 {
      log.lines = []
      interactor.activate()
      #expect(interactor.first === interactor.first)
      #expect(interactor.first !== interactor.second)
      interactor.deactivate()
      let (one, two) = (round * 2 - 1, round * 2)
      #expect(log.lines == ["made \(one)", "made \(two)", "\(two) ends", "\(one) ends", "\(one) gone", "\(two) gone"])
    }
  }

  @Test("is there in willResignActive()")
  func resigning() {
    let interactor = Keeper(log)
    interactor.activate()
    interactor.onResign = { _ = $0.first }
    interactor.deactivate()
    #expect(log.lines == ["made 1", "1 ends", "1 gone"])
  }

  @Test("is disposed of at once when the interactor is not active, and that is reported")
  func inactive() {
    let interactor = Keeper(log)
    let reported = misuses { _ = interactor.first }
    #expect(reported == [.subscriptionOfInactive])
    #expect(log.lines == ["made 1", "1 ends", "1 gone"])
  }

  @Test("is disposed of at once when its making ends the scope")
  func endedMeanwhile() {
    let interactor = Keeper(log)
    interactor.activate()
    interactor.onMake = { $0.deactivate() }
    _ = interactor.first
    #expect(log.lines == ["made 1", "1 ends", "1 gone"])
    interactor.onMake = { _ in }
    interactor.activate()
    _ = interactor.first
    #expect(log.lines.count == 4)
    interactor.deactivate()
  }

  @Test("may need another one to be made")
  func nested() {
    let interactor = Keeper(log)
    interactor.activate()
    interactor.onMake = { if $0.made == 1 { _ = $0.second } }
    let first = interactor.first
    #expect(first === interactor.first)
    #expect(interactor.made == 2)
    interactor.deactivate()
    #expect(log.lines == ["made 1", "made 2", "1 ends", "2 ends", "2 gone"])
    withExtendedLifetime(first) {}
  }
}

private final class Keeper: Interactor {
  private let log: Log
  var made = 0
  var onMake: (Keeper) -> Void = { _ in }
  var onResign: (Keeper) -> Void = { _ in }

  init(_ log: Log) { self.log = log }

  var first: Kept { scoped { make() } }
  var second: Kept { scoped { make() } }

  private func make() -> Kept {
    made += 1
    log.lines.append("made \(made)")
    let kept = Kept("\(made)", log)
    onMake(self)
    return kept
  }

  override func willResignActive() {
    super.willResignActive()
    onResign(self)
  }
}

private final class Kept: Disposable {
  private let name: String
  private let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  deinit { log.lines.append("\(name) gone") }

  func dispose() { log.lines.append("\(name) ends") }
}
