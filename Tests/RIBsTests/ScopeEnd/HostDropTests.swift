// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

/// Bound work at the moment when the host of its tree is dropped.
struct HostDrop: Sendable, CustomTestStringConvertible {
  let kind: WorkKind
  let moment: WorkMoment

  var testDescription: String { "\(kind) | \(moment.rawValue)" }

  static let all: [HostDrop] = WorkKind.all.flatMap { kind in
    WorkCase.moments(of: kind).map { HostDrop(kind: kind, moment: $0) }
  }
}

/// Holds the only reference to a host.
private final class HostHolder: Sendable {
  private let held = Locked<TreeHost<Scripted.RootRouter>?>(nil)

  var host: TreeHost<Scripted.RootRouter>? { held.withLock { $0 } }
  func keep(_ host: TreeHost<Scripted.RootRouter>) { held.withLock { $0 = host } }
  func drop() {
    let dropped = held.withLock { held in
      defer { held = nil }
      return held
    }
    withExtendedLifetime(dropped) {}
  }
}

@Suite("Bound work whose host is dropped", .folded)
struct HostDropTests {
  private let journal = Journal()
  private let answers = PendingResponses<String, Void>()
  private let holder = HostHolder()
  private let clock = TestClock()

  /// Writes the starts and the ends of work, by its identity, and the end of the tree.
  private var configuration: TreeConfiguration {
    TreeConfiguration(
      clock: clock, leakDetection: .off, eventKinds: [.taskStarted, .taskEnded, .taskFailed, .ended],
      onEvent: { [journal] event in journal.write("\(event.kind) \(event.workID.map { "\($0)" } ?? "")") })
  }

  /// Makes a tree with a scene, which its root holds until it resigns.
  private func makeHost() async {
    holder.keep(
      await TreeHost(configuration: configuration) { [journal, answers, holder] in
        let scene = WorkScene(journal, answers)
        scene.dropTree = { holder.drop() }
        scene.root.attachment = scene
        scene.root.interactor.onResign = { [weak root = scene.root] _ in root?.attachment = nil }
        scene.root.interactor.onDeinit = { journal.write("released") }
        return scene.root
      })
  }

  private func perform(_ body: @Sendable (WorkScene) -> Void) async throws {
    try await holder.host?.perform { root in
      if let scene = root.attachment as? WorkScene { body(scene) }
    }
  }

  private func isAsked(_ question: String) async {
    while !answers.questions.contains(question) { await Task.yield() }
  }

  /// Starts work, and drops the host at a moment. The tree ends in one of its next turns.
  private func act(_ which: HostDrop) async throws {
    let (kind, moment, answers, holder) = (which.kind, which.moment, answers, holder)
    if moment == .queued || moment == .admitted {
      try await perform { $0.startPredecessor(of: kind) }
      await isAsked("before")
    }
    try await perform { scene in
      if moment == .handled { scene.onHandled = { holder.drop() } }
      if moment == .returned, !kind.isAway { scene.onReturned = { holder.drop() } }
      scene.start(kind)
      if moment == .unbegun, kind.form != .secondStep { holder.drop() }
    }
    if kind.form == .secondStep {
      await isAsked("first step")
      try await perform { _ in
        answers.respond(with: ())
        if moment == .unbegun { holder.drop() }
      }
    }
    switch moment {
    case .unbegun: break
    case .queued: holder.drop()
    case .admitted:
      try await perform { _ in
        answers.respond(with: ())
        holder.drop()
      }
    case .suspended where kind.form == .pause:
      await clock.waitForSleeper()
      holder.drop()
    case .handled where kind.form == .pause:
      await clock.waitForSleeper()
      clock.advance(by: .seconds(1))
    case .suspended:
      if kind.form != .slices { await isAsked("work") }
      holder.drop()
    case .returned, .handled:
      guard kind.form != .slices, kind.form != .listUpdate else { break }
      await isAsked("work")
      answers.respond(with: ())
      if moment == .returned, kind.isAway { holder.drop() }
    }
  }

  @Test(
    "never begins, is never called and delivers nothing after the end, ends once, and is released",
    arguments: HostDrop.all)
  func drops(_ which: HostDrop) async throws {
    await makeHost()
    try await act(which)
    // The work holds the scene until it ends.
    await journal.wait(for: "released")
    #expect(holder.host == nil)
    let lines = journal.lines
    let end = try #require(lines.firstIndex(of: "ended "))
    // Work off the tree runs beside its end.
    let parts = which.kind.isAway ? ["handled"] : ["first step", "begun", "returned", "handled"]
    #expect(lines[end...].allSatisfy { !parts.contains($0) }, "\(lines)")
    if which.moment == .queued { #expect(!lines.contains("begun")) }
    if which.moment == .handled { #expect(lines.contains("handled")) }
    let starts = lines.filter { $0.hasPrefix("taskStarted ") }.map { $0.dropFirst("taskStarted ".count) }
    let ends = lines.filter { $0.hasPrefix("taskEnded ") || $0.hasPrefix("taskFailed ") }.map {
      $0.split(separator: " ")[1]
    }
    #expect(!starts.isEmpty)
    #expect(starts.sorted() == ends.sorted())
    #expect(!lines.contains { $0.hasPrefix("taskFailed ") })
  }
}
