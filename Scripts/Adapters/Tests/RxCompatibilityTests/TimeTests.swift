// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RxCompatibility
import Testing

/// An interactor whose streams a test makes.
private final class TimedInteractor: Interactor {}

@Suite("A time operator of RxSwift, on the tree's clock")
struct TimeTests {
  private let test = TestTree(recording: [])
  private let interactor = TimedInteractor()
  private let source = PublishSubject<String>()
  private let log = Log()

  private final class Log { var lines: [String] = [] }

  init() { test.launch(interactor: interactor) }

  private func follow<Stream: ObservableType>(_ stream: Stream) {
    stream
      .subscribe(onNext: { [log] in log.lines.append("\($0)") }, onCompleted: { [log] in log.lines.append("|") })
      .disposeOnDeactivate(interactor: interactor)
  }

  /// Sends a value after each tenth of a second; `-` stands for none, and `|` for the completion.
  private func send(_ marbles: String) {
    for marble in marbles {
      switch marble {
      case "-": break
      case "|": source.onCompleted()
      default: source.onNext(String(marble))
      }
      test.advance(by: .milliseconds(100))
    }
  }

  /// What was delivered since the last call.
  private func lines() -> String {
    defer { log.lines = [] }
    return log.lines.joined(separator: " ")
  }

  @Test("debounce: the last value of each burst")
  func debounce() {
    follow(source.debounce(.milliseconds(300), scheduler: interactor))
    send("ab-c---")
    #expect(lines() == "c")
    send("d|")
    #expect(lines() == "d |")
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("throttle: the first value, then the last of each window")
  func throttle() {
    follow(source.throttle(.milliseconds(300), scheduler: interactor))
    send("abc")
    #expect(lines() == "a c")
    send("d")
    #expect(lines() == "")
    send("-----e")
    #expect(lines() == "d e")
    send("f|")
    #expect(lines() == "f |")
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("throttle with latest: false: the first value of each window")
  func throttleFirst() {
    follow(source.throttle(.milliseconds(300), latest: false, scheduler: interactor))
    send("abc-de|")
    #expect(lines() == "a d |")
    test.finish()
  }

  @Test("delay: each value and the completion, in order")
  func delay() {
    follow(source.delay(.milliseconds(250), scheduler: interactor))
    send("ab")
    #expect(lines() == "")
    send("-c|")
    #expect(lines() == "a b")
    send("--")
    #expect(lines() == "c |")
    test.finish()
  }

  @Test("timer and interval: at multiples of the period, while the scope is active")
  func interval() {
    follow(Observable<Int>.interval(.milliseconds(200), scheduler: interactor).map { "i\($0)" })
    follow(Observable<Int>.timer(.milliseconds(300), scheduler: interactor).map { "t\($0)" })
    follow(
      Observable<Int>.timer(.milliseconds(100), period: .milliseconds(300), scheduler: interactor).map { "p\($0)" }
        .take(2))
    send("-----")
    #expect(lines() == "p0 i0 t0 | p1 | i1")
    interactor.deactivate()
    #expect(test.clock.deadlines.isEmpty)
    test.settle()
    #expect(test.runningWork.isEmpty)
    send("-----")
    #expect(lines() == "")
    test.finish()
  }

  @Test("ends with its scope, whatever is pending")
  func scopeEnds() {
    follow(source.debounce(.milliseconds(300), scheduler: interactor))
    follow(source.throttle(.milliseconds(300), scheduler: interactor).skip(1))
    follow(source.delay(.milliseconds(300), scheduler: interactor))
    send("ab")
    #expect(test.runningWork.count == 3)
    interactor.deactivate()
    #expect(test.clock.deadlines.isEmpty)
    test.settle()
    #expect(test.runningWork.isEmpty)
    send("---")
    #expect(lines() == "")
    test.finish()
  }

  @Test("names the line of the stream in the tree's work")
  func names() {
    let line = #line + 1
    follow(Observable<Int>.interval(.seconds(1), scheduler: interactor))
    #expect(test.runningWork.count == 1 && test.runningWork.allSatisfy { $0.contains("TimeTests.swift:\(line)") })
    interactor.deactivate()
    test.finish()
  }
}
