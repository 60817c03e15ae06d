// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// The scenarios in the folder Scenarios are compiled with RIBs and RxCompatibility here, and with RxSwift by the package
// WithRxSwift. RxSwift.log has what they log with RxSwift. When a scenario is added or changed, write the log again:
//
//   swift run -c release --package-path Scripts/Adapters/Tests/RxScenarioTests/WithRxSwift RxScenarios \
//     > Scripts/Adapters/Tests/RxScenarioTests/RxSwift.log
//
// In a debug build RxSwift mixes its warnings about re-entrancy with the log. Not compared: `debug`, and the operators
// that do nothing here, `observe(on:)` and `subscribe(on:)`.
//
// The log in the repository comes from a transcription of those sources of RxSwift 6.5.0 that the scenarios run, made
// where the package could not be fetched. No run of the released package has confirmed it.

import Foundation
import Testing

/// A difference from RxSwift that is meant, and the logs in which it shows.
private struct Difference {
  /// What RxSwift does, as the article MigratingFromUber says it.
  let there: String
  /// The logs of this package, a scenario each.
  let logs: String
}

private let differences = [
  Difference(
    there: "A relay or a subject that is written to during a delivery delivers at once, within the delivery.",
    logs: """
      take until, sends in a delivery: 1 | ; +b +a -a -b
      take until, completes in a delivery: 1 | ; +b +a -b -a
      withLatestFrom, sends in a delivery: 10 70 20 20 30 | ; +b +a -a -b
      withLatestFrom, completes in a delivery: 10 | ; +b +a -b -a
      withLatestFrom by, sends in a delivery: 2,10 7,70 2,20 3,20 4,30 | ; +b +a -a -b
      withLatestFrom by, completes in a delivery: 2,10 | ; +b +a -b -a
      flatMap to a burst, sends in a delivery: 10 11 70 71 20 21 20 21 30 31 40 41 | ; +a -a
      flatMapLatest to a burst, sends in a delivery: 10 11 70 71 20 21 20 21 30 31 40 41 | ; +a -a
      merge, sends in a delivery: 1 70 7 10 2 20 2 3 30 4 40 | ; +a +b -a -b
      merge, completes in a delivery: 1 | ; +a +b -b -a
      merge of a collection, sends in a delivery: 1 70 700 7 10 100 2 20 200 2 3 30 300 4 40 | ; +a +b +c -a -b -c
      merge of a collection, completes in a delivery: 1 | ; +a +b +c -b -c -a
      withLatestFrom, relays, sends in a delivery: 10 70 70 20 ; +b +a -a -b
      withLatestFrom by, relays, sends in a delivery: 1,10 7,70 2,70 3,20 ; +b +a -a -b
      flatMap, relays, sends in a delivery: 1,10 1,70 7,70 2,70 1,20 7,20 2,20 3,20 ; +a +b +b +b +b -a -b -b -b -b
      flatMap to a burst, relays, sends in a delivery: 10 11 70 71 20 21 30 31 ; +a -a
      flatMapLatest, relays, sends in a delivery: 1,10 1,70 7,70 2,70 2,20 3,20 ; +a +b -b +b -b +b -b +b -a -b
      flatMapLatest to a burst, relays, sends in a delivery: 10 11 70 71 20 21 30 31 ; +a -a
      PublishSubject, sends in a delivery: x1 y1 x2 y2 x3 y3
      PublishSubject, completes in a delivery: x1 y1 x| y|
      BehaviorSubject, sends in a delivery: x0 y0 x1 y1 x2 y2 x3 y3
      BehaviorSubject, completes in a delivery: x0 y0 x1 y1 x| y|
      ReplaySubject of one, sends in a delivery: x1 y1 x2 y2 x3 y3
      ReplaySubject of one, completes in a delivery: x1 y1 x| y|
      ReplaySubject of two, sends in a delivery: x1 y1 x2 y2 x3 y3
      ReplaySubject of two, completes in a delivery: x1 y1 x| y|
      ReplaySubject of all, sends in a delivery: x1 y1 x2 y2 x3 y3
      ReplaySubject of all, completes in a delivery: x1 y1 x| y|
      PublishRelay, sends in a delivery: x1 y1 x2 y2 x3 y3
      BehaviorRelay, sends in a delivery: x0 y0 x1 y1 x2 y2 x3 y3
      """),
  Difference(
    there: "`of` and `from` deliver from a queue of the thread:",
    logs: """
      take until, values of `of`: | ; +b -b +a -a
      skip until, values of `of`: | ; +a -a +b -b
      withLatestFrom, values of `of`: 21 21 | ; +b -b +a -a
      withLatestFrom by, values of `of`: 10,21 11,21 | ; +b -b +a -a
      flatMap, values of `of`: 10,20 10,21 11,20 11,21 | ; +a +b -b +b -b -a
      flatMapLatest, values of `of`: 10,20 10,21 11,20 11,21 | ; +a +b -b +b -b -a
      merge, values of `of`: 10 11 20 21 | ; +a -a +b -b
      merge of a collection, values of `of`: 10 11 20 21 30 31 | ; +a -a +b -b +c -c
      combineLatest, values of `of`: 11,20 11,21 | ; +a -a +b -b
      combineLatest of three, values of `of`: 11,21,30 11,21,31 | ; +a -a +b -b +c -c
      combineLatest of four, values of `of`: 11,21,31,40 11,21,31,41 | ; +a -a +b -b +c -c +d -d
      combineLatest of a collection, values of `of`: 11,21,30 11,21,31 | ; +a -a +b -b +c -c
      zip, values of `of`: 10,20 11,21 | ; +a -a +b -b
      zip of three, values of `of`: 10,20,30 11,21,31 | ; +a -a +b -b +c -c
      zip of four, values of `of`: 10,20,30,40 11,21,31,41 | ; +a -a +b -b +c -c +d -d
      """),
  Difference(
    there: "`zip` completes when all its streams have completed.",
    logs: """
      zip, only the first completes: 1,10 | ; +a +b -a -b
      zip, only the last completes: 1,10 | ; +a +b -b -a
      zip, only the first completes, without a value: | ; +a +b -a -b
      zip of three, last completes first: 1,10,100 | ; +a +b +c -c -a -b
      zip of three, only the first completes: 1,10,100 | ; +a +b +c -a -b -c
      zip of three, only the last completes: 1,10,100 | ; +a +b +c -c -a -b
      zip of three, only the first completes, without a value: | ; +a +b +c -a -b -c
      zip of three, last is empty: | ; +a +b +c -c -a -b
      zip of four, last completes first: 1,10,100,1000 | ; +a +b +c +d -d -a -b -c
      zip of four, only the first completes: 1,10,100,1000 | ; +a +b +c +d -a -b -c -d
      zip of four, only the last completes: 1,10,100,1000 | ; +a +b +c +d -d -a -b -c
      zip of four, only the first completes, without a value: | ; +a +b +c +d -a -b -c -d
      zip of four, last is empty: | ; +a +b +c +d -d -a -b -c
      """),
  Difference(
    there: "`combineLatest` waits for its other streams if one completes without a value.",
    logs: """
      combineLatest of three, only the first completes, without a value: | ; +a +b +c -a -b -c
      combineLatest of three, last is empty: | ; +a +b +c -c -a -b
      combineLatest of four, only the first completes, without a value: | ; +a +b +c +d -a -b -c -d
      combineLatest of four, last is empty: | ; +a +b +c +d -d -a -b -c
      combineLatest of a collection, only the first completes, without a value: | ; +a +b +c -a -b -c
      combineLatest of a collection, last is empty: | ; +a +b +c -c -a -b
      """),
  Difference(
    there: "`skip(until:)` never completes if the other stream has not delivered a value before.",
    logs: """
      skip until, values during the subscription: | ; +a -a +b -b
      skip until, only the first completes, without a value: | ; +a +b -a -b
      skip until, first is empty: | ; +a +b -a -b
      skip until, last is empty: | ; +a +b -b -a
      skip until, one is taken during the subscription: | ; +a -a +b -b
      """),
  Difference(
    there: "A new subscriber may take the place of one that has left, before older ones.",
    logs: """
      flatMap, two subscribers: x1,10 x1,20 x2,20 y2,20 y2,30 y3,30 y| ; +a +b +a +b +b -a -b -b +b -a -b -b
      PublishSubject, the first of three leaves, another comes: y1 z1 w1
      BehaviorSubject, the first of three leaves, another comes: x0 y0 z0 w0 y1 z1 w1
      ReplaySubject of one, the first of three leaves, another comes: y1 z1 w1
      ReplaySubject of two, the first of three leaves, another comes: y1 z1 w1
      ReplaySubject of all, the first of three leaves, another comes: y1 z1 w1
      PublishRelay, the first of three leaves, another comes: y1 z1 w1
      BehaviorRelay, the first of three leaves, another comes: x0 y0 z0 w0 y1 z1 w1
      """),
  Difference(
    there: "A subscription that an earlier subscriber disposes of still receives the value that is being delivered.",
    logs: """
      PublishSubject, disposes of another in a delivery: x1 x2
      BehaviorSubject, disposes of another in a delivery: x0 y0 x1 x2
      ReplaySubject of one, disposes of another in a delivery: x1 x2
      ReplaySubject of two, disposes of another in a delivery: x1 x2
      ReplaySubject of all, disposes of another in a delivery: x1 x2
      PublishRelay, disposes of another in a delivery: x1 x2
      BehaviorRelay, disposes of another in a delivery: x0 y0 x1 x2
      """),
  Difference(
    there: "A `ReplaySubject` that is sent to while it replays withholds that value from the new subscriber.",
    logs: """
      ReplaySubject of one, sends in the first delivery: x1 x2 x5
      ReplaySubject of two, sends in the first delivery: x1 x2 x5
      ReplaySubject of all, sends in the first delivery: x1 x2 x5
      """),
  Difference(
    there: "`onDispose` of `do`, and the disposable of `create`, follow `onCompleted` of the subscriber.",
    logs: """
      effects of do, values later: subscribe subscribed next 1 received 1 after 1 completed dispose |
      effects of do, one is taken: subscribe subscribed next 1 received 1 dispose | after 1
      create, completed later: dispose |
      """),
  Difference(
    there: "A relay never completes.",
    logs: """
      a relay and a subject are released: |
      the observable of a behavior relay that is not held: 1 |
      """),
  Difference(
    there: "`throttle` passes values that the delivery of the first one sends.",
    logs: """
      throttle, sends in a delivery: a.b..0.....
      throttle without the latest, sends in a delivery: a........
      """),
  Difference(
    there: "`Single.asObservable()` passes its error on.",
    logs: """
      Single asObservable of an error: |
      """),
]

/// Logs by the name of their scenario. A name that occurs twice is a mistake.
private func parse(_ lines: [String]) -> [String: String] {
  var logs: [String: String] = [:]
  for line in lines {
    guard let colon = line.range(of: ": ") else {
      Issue.record("no log: \(line)")
      continue
    }
    let previous = logs.updateValue(String(line[colon.upperBound...]), forKey: String(line[..<colon.lowerBound]))
    if previous != nil { Issue.record("twice: \(line)") }
  }
  return logs
}

/// A file beside this one, or elsewhere in the repository.
private func read(_ path: String) throws -> String {
  try String(contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: path), encoding: .utf8)
}

@Suite("The same source with RxSwift and with this package")
struct ScenarioTests {
  private let documented = parse(differences.flatMap { $0.logs.split(separator: "\n").map(String.init) })
  /// The logs of RxSwift. The first line of the file is the version.
  private let expected: [String: String]

  init() throws { expected = parse(try read("RxSwift.log").split(separator: "\n").dropFirst().map(String.init)) }

  @Test("logs the same, except for the documented differences")
  func logs() {
    let logs = parse(allScenarios())
    #expect(Set(logs.keys) == Set(expected.keys), "write RxSwift.log again")
    for (name, log) in logs.sorted(by: { $0.key < $1.key }) {
      #expect(log == documented[name] ?? expected[name], "\(name)")
    }
  }

  @Test("differs in each documented scenario, and the migration guide says so")
  func differencesAreReal() throws {
    let guide = try read("../../../../Sources/RIBs/RIBs.docc/MigratingFromUber.md")
    for difference in differences {
      #expect(guide.contains("| " + difference.there), "not in the guide: \(difference.there)")
      #expect(!difference.logs.isEmpty)
    }
    for (name, log) in documented {
      #expect(expected[name] != nil, "no such scenario: \(name)")
      #expect(expected[name] != log, "no difference: \(name)")
    }
  }
}
