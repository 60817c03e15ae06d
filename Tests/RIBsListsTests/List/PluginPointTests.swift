// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import TestSupport
import Testing

/// The context of the features of a menu.
private struct MenuContext: Equatable {
  var guests: Int
}

/// A feature with a RIB below it. It is offered to a minimum number of guests.
private final class FeatureRouter: Router<ProbeInteractor>, ModelRouting {
  private let transcript: Transcript

  init(_ name: String, _ context: MenuContext, _ transcript: Transcript) {
    self.transcript = transcript
    transcript.write("build \(name) for \(context.guests)")
    super.init(interactor: ProbeInteractor(name, in: transcript))
    attachChild(ProbeRouter("\(name).part", in: transcript))
  }

  func didUpdate(to match: PluginMatch<MenuContext>, from previous: PluginMatch<MenuContext>) {
    transcript.write("\(match.name): \(previous.context.guests) → \(match.context.guests)")
  }
}

private final class MenuRouter: Router<ProbeInteractor> {
  let point: ChildPluginPoint<MenuContext>
  private(set) lazy var features = ChildList(of: self, plugins: point)

  init(_ point: ChildPluginPoint<MenuContext>) {
    self.point = point
    super.init(interactor: ProbeInteractor("menu"))
  }

  func show(_ guests: Int) throws { try features.update(point.matches(for: MenuContext(guests: guests))) }
}

@Suite("A plugin point", .folded)
struct PluginPointTests {
  private let test = TestTree(recording: [])
  /// The names of the plugins that are switched on.
  private let switches = Shared<Set<String>>([])

  /// Plugins "1" to "4", each offered to at least as many guests as its number.
  private func makePoint() -> ChildPluginPoint<MenuContext> {
    let (transcript, switches) = (test.transcript, switches)
    let plugins = (1...4).map { number in
      ChildPlugin<MenuContext>("\(number)", isApplicable: { $0.guests >= number }) { context in
        FeatureRouter("\(number)", context, transcript)
      }
    }
    return PluginPoint(plugins, isEnabled: { switches.value.contains($0) })
  }

  /// Switches and a context.
  private struct State: Hashable {
    let names: Set<String>
    let guests: Int

    var offered: [String] { (1...guests).map(String.init).filter(names.contains) }

    static let all: [State] = (0..<16).flatMap { bits in
      let names = Set((0..<4).filter { bits & (1 << $0) != 0 }.map { "\($0 + 1)" })
      return [1, 4].map { State(names: names, guests: $0) }
    }
  }

  @Test("followed by a list builds, detaches and notifies only what its switches and its context change")
  func everyChange() throws {
    let menu = test.launch(MenuRouter(makePoint()))
    for before in State.all {
      for after in State.all {
        switches.value = before.names
        try menu.show(before.guests)
        let kept = before.offered.filter(after.offered.contains)
        let routers = kept.map { menu.features[id: $0].map { ObjectIdentifier($0) } }
        test.skip()
        switches.value = after.names
        try menu.show(after.guests)
        #expect(menu.features.models.map(\.name) == after.offered)
        #expect(kept.map { menu.features[id: $0].map { ObjectIdentifier($0) } } == routers)
        let added = after.offered.filter { !kept.contains($0) }
        let removed = before.offered.filter { !kept.contains($0) }.reversed()
        var lines = added.map { "build \($0) for \(after.guests)" }
        lines += removed.flatMap { ["\($0).part resigns true", "\($0) resigns true"] }
        lines += added.flatMap { ["\($0) active true", "\($0).part active true"] }
        if before.guests != after.guests { lines += kept.map { "\($0): \(before.guests) → \(after.guests)" } }
        #expect(test.transcript.lines.filter { !$0.hasSuffix(" gone") } == lines, "\(before) \(after)")
      }
    }
    try menu.features.update([])
    test.skip()
    test.finish()
  }

  @Test("builds all offered features in order, or the first, and asks no plugin behind it")
  func values() {
    var asked: [String] = []
    let plugins = ["a", "b", "c", "d"].map { name in
      Plugin<Int, String>(
        name,
        isApplicable: { limit in
          asked.append(name)
          return name != "a" && limit > 0
        }, build: { limit in "\(name)\(limit)" })
    }
    let point = PluginPoint(plugins, isEnabled: { $0 != "b" })
    #expect((point.names, point.all(for: 1)) == (["a", "b", "c", "d"], ["c1", "d1"]))
    #expect(asked == ["a", "c", "d"])
    asked = []
    #expect(point.first(for: 2) == "c2")
    #expect(asked == ["a", "c"])
    #expect(point.first(for: 0) == nil)
    let matches = point.matches(for: 3)
    #expect((matches.map(\.id), matches.map(\.context)) == (["c", "d"], [3, 3]))
    #expect(matches.compactMap { point.build($0) } == ["c3", "d3"])
  }

  @Test("refuses a match of another point, and two plugins of one name")
  func foreign() throws {
    switches.value = ["1", "other"]
    let menu = test.launch(MenuRouter(makePoint()))
    try menu.show(1)
    test.skip()
    let other = PluginPoint<MenuContext, Int>([Plugin("other") { _ in 1 }])
    let match = try #require(other.matches(for: MenuContext(guests: 1)).first)
    #expect(menu.point.build(match) == nil)
    try menu.features.update([match])
    let misuse = try #require(test.takeMisuses().first)
    #expect(misuse.kind == .unknownModel)
    #expect("\(misuse)".contains("no builder is registered for a plugin 'other'"))
    #expect(menu.features.models.map(\.name) == ["1"])
    let twins = PluginPoint<MenuContext, Int>([Plugin("1") { _ in 1 }, Plugin("1") { _ in 2 }])
    #expect(throws: RepeatedIdentity.self) {
      try menu.features.update(twins.matches(for: MenuContext(guests: 1)))
    }
    #expect(menu.features.models.map(\.name) == ["1"])
    test.finish(expecting: "1.part resigns true", "1 resigns true")
  }
}
