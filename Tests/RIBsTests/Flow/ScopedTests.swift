// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("What is scoped")
struct ScopedTests {
  private let test = TestTree(recording: [])
  private let interactor: Keeper

  init() { interactor = Keeper(test.transcript) }

  @Test("is created once for each declaration and activation, and disposed of when the interactor resigns, last first")
  func once() {
    test.launch(interactor: interactor)
    for (one, two) in [(1, 2), (3, 4)] {
      interactor.activate()
      #expect(interactor.first === interactor.first)
      #expect(interactor.first !== interactor.second)
      interactor.deactivate()
      test.expect("made \(one)", "made \(two)", "\(two) ends", "\(one) ends", "\(one) gone", "\(two) gone")
    }
    test.finish()
  }

  @Test("is available in willResignActive()")
  func resigning() {
    test.launch(interactor: interactor)
    interactor.onResign = { _ = $0.first }
    test.finish(expecting: "made 1", "1 ends", "1 gone")
  }

  @Test("is disposed of at once when the interactor is not active, and that is reported")
  func inactive() {
    let reported = misuses { _ = interactor.first }
    #expect(reported == [.subscriptionWhileInactive])
    test.expect("made 1", "1 ends", "1 gone")
  }

  @Test("is disposed of at once when its factory ends the scope")
  func endedMeanwhile() {
    test.launch(interactor: interactor)
    interactor.onMake = { $0.deactivate() }
    _ = interactor.first
    test.expect("made 1", "1 ends", "1 gone")
    interactor.onMake = { _ in }
    interactor.activate()
    _ = interactor.first
    test.expect("made 2")
    test.finish(expecting: "2 ends", "2 gone")
  }

  @Test("may be created from another one")
  func nested() {
    test.launch(interactor: interactor)
    interactor.onMake = { if $0.made == 1 { _ = $0.second } }
    let first = interactor.first
    #expect(first === interactor.first)
    #expect(interactor.made == 2)
    test.expect("made 1", "made 2")
    withExtendedLifetime(first) { test.finish(expecting: "1 ends", "2 ends", "2 gone") }
  }
}

private final class Keeper: Interactor {
  private let transcript: Transcript
  var made = 0
  var onMake: (Keeper) -> Void = { _ in }
  var onResign: (Keeper) -> Void = { _ in }

  init(_ transcript: Transcript) { self.transcript = transcript }

  var first: Kept { scoped { make() } }
  var second: Kept { scoped { make() } }

  private func make() -> Kept {
    made += 1
    transcript.write("made \(made)")
    let kept = Kept("\(made)", transcript)
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
  private let transcript: Transcript

  init(_ name: String, _ transcript: Transcript) {
    self.name = name
    self.transcript = transcript
  }

  deinit { transcript.write("\(name) gone") }

  func dispose() { transcript.write("\(name) ends") }
}
