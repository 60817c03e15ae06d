// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@testable import RIBs

@Suite("The saves of a tree")
struct SaveStateTests {
  @Test("have these transitions, and no others")
  func transitions() {
    #expect(
      TestSupport.transitions(of: SaveState.allCases, by: SaveState.Event.allCases, SaveState.after) == [
        "saved requested scheduled", "failed requested scheduled", "failed ended scheduled",
        "scheduled pauseBegan pausing", "scheduled captured saving", "scheduled vanished failed",
        "pausing pauseEnded scheduled", "pausing ended scheduled", "saving requested savingChanged",
        "saving ended savingSpare", "saving succeeded saved", "saving failed failed",
        "savingChanged succeeded scheduled", "savingChanged failed scheduled", "savingSpare succeeded saved",
        "savingSpare failed scheduled",
      ])
  }

  /// What happens to a tree and its saves.
  enum Action: CaseIterable {
    case change, checkpoint, call
    /// The next copy of the tree changes it, or ends it.
    case changeInCopy, endInCopy
    /// All jobs run that are ready.
    case turn
    case pauseEnds
    case succeed, fail
    case end, crash
  }

  /// Keeps what is saved, and answers when the test says so.
  private final class Store: TreeSaving {
    private struct State {
      var number = 0
      var begun = 0
      var answer: CheckedContinuation<Bool, Never>?
    }

    struct Full: Error {}
    private let state = Locked(State())

    /// What the last save that succeeded has saved.
    var number: Int { state.withLock { $0.number } }
    /// How many saves have begun.
    var begun: Int { state.withLock { $0.begun } }

    func save(_ saved: SavedTree) async throws {
      let document = String(decoding: try saved.encoded(by: PlainCoder()), as: UTF8.self)
      let number = document.split(separator: "\"state\":").last.flatMap { Int($0.prefix { $0.isNumber }) }
      let succeeds = await withCheckedContinuation { answer in
        state.withLock { state in
          if state.answer != nil { Issue.record("Two saves at the same time.") }
          state.answer = answer
          state.begun += 1
        }
      }
      guard succeeds else { throw Full() }
      state.withLock { state in
        if let number { state.number = number } else { Issue.record("No state in \(document)") }
      }
    }

    /// - Returns: whether a save was waiting.
    @discardableResult
    func answer(_ succeeds: Bool) -> Bool {
      let answer = state.withLock { state in
        defer { state.answer = nil }
        return state.answer
      }
      answer?.resume(returning: succeeds)
      return answer != nil
    }
  }

  /// Does the actions, and checks what was answered.
  ///
  /// - Returns: what is wrong.
  private func play(_ actions: [Action]) -> [String] {
    let stage = DrivenStage(seed: 1)
    let store = Store()
    let clock = TestClock()
    /// The failures of saves that were answered or reported.
    let reported = Journal()
    return stage.assumeIsolated { stage in
      var faults: [String] = []
      var configuration = TreeConfiguration(
        clock: clock, leakDetection: .off, saving: store, savePause: .seconds(1),
        onFailure: { if $0.error is Store.Full { reported.write("") } })
      configuration.executors = stage.executors
      let root = Router(interactor: CountingInteractor())
      let tree = Tree(root: root, configuration: configuration)
      guard tree.launch(on: stage) else { return ["not launched"] }
      let interactor = root.interactor
      var open: [(number: Int, answer: TreeSaver.Answer, begun: Int)] = []
      var isExcused = false
      var failures = 0
      var begunAtEnd = Int.max
      let saver = tree.core?.saver

      func check() {
        open.removeAll { number, answer, begun in
          guard let result = answer.current else { return false }
          if case .success = result, store.number < number {
            faults.append("\(number) answered, \(store.number) saved")
          }
          if case .success = result, store.begun < begun { faults.append("answered by an earlier save") }
          if case .failure(let error) = result, error is Store.Full { reported.write("") }
          return true
        }
      }
      func run() {
        while stage.runOne() { check() }
        if saver?.isIdle == true, store.number != interactor.number { faults.append("idle with changes") }
      }
      func end() {
        guard interactor.isActive else { return }
        begunAtEnd = store.begun
        tree.end()
      }
      for action in actions {
        switch action {
        case .change: if interactor.isActive { interactor.change() }
        case .checkpoint:
          if interactor.isActive, let answer = saver?.requestAnswer() { open.append((interactor.number, answer, 0)) }
        case .call:
          if let unsaved = saver?.unsaved() {
            open.append((interactor.number, unsaved.answer, unsaved.hasBegun ? 0 : store.begun + 1))
          } else if store.number < interactor.number {
            faults.append("no answer for \(interactor.number)")
          }
        case .changeInCopy, .endInCopy:
          interactor.onCopy = { [unowned interactor] in
            interactor.onCopy = nil
            if action == .endInCopy { end() } else { interactor.change() }
          }
        case .turn: run()
        case .pauseEnds: clock.advance(by: .seconds(1))
        case .succeed: store.answer(true)
        case .fail:
          guard store.answer(false) else { break }
          failures += 1
          // The save of the copy from the end is the last.
          if !interactor.isActive, store.begun > begunAtEnd { isExcused = true }
        case .end: end()
        case .crash:
          if interactor.isActive { isExcused = true }
          interactor.fail(CancellationError())
        }
        check()
      }
      interactor.onCopy = nil
      run()
      end()
      repeat { run() } while store.answer(true)
      run()
      if !open.isEmpty { faults.append("\(open.count) without an answer") }
      if reported.lines.count < failures {
        faults.append("\(failures) failures, of which \(reported.lines.count) were reported")
      }
      if store.number != interactor.number, !isExcused {
        faults.append("\(interactor.number) lost, \(store.number) saved")
      }
      return faults
    }
  }

  @Test("answer for what they have saved, and lose nothing without a word, in each order of what happens")
  func orders() {
    let all = Action.allCases
    let length = Thoroughness.count(usual: 4, share: 5, whole: 5)
    let count = (1...length).reduce(1) { product, _ in product * all.count }
    let step = Thoroughness.count(little: 97, usual: 3, share: 5, whole: 1)
    var failures: [[String]] = []
    for number in stride(from: 0, to: count, by: step) {
      var (rest, actions) = (number, [Action.change])
      for _ in 1...length {
        actions.append(all[rest % all.count])
        rest /= all.count
      }
      let faults = play(actions)
      if !faults.isEmpty { failures.append(actions.map { "\($0)" } + faults) }
    }
    #expect(failures.isEmpty, "\(failures.count) of \(count / step), such as \(failures.prefix(20))")
  }
}
