// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

private protocol Provider: Dependency { var name: String { get } }
private protocol Naming: AnyObject {}

@Suite("A component with any type of dependency")
struct DependencyTypeTests {
  private final class Ledger { var gone: [String] = [] }

  private final class Root: Component<any EmptyDependency>, Provider, Naming, Hashable {
    let name = "root"
    let ledger: Ledger
    init(_ ledger: Ledger) {
      self.ledger = ledger
      super.init(dependency: EmptyComponent())
    }
    deinit { ledger.gone.append("root") }
    static func == (one: Root, other: Root) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private final class Child<Parent>: Component<Parent> {
    let ledger: Ledger
    init(_ parent: Parent, _ ledger: Ledger) {
      self.ledger = ledger
      super.init(dependency: parent)
    }
    deinit {
      _ = dependency
      ledger.gone.append("child")
    }
  }

  private struct Bundle {
    let number = 1
    let root: Root
  }

  private enum Choice {
    case one(Root)
    case none
  }

  /// The output of a component and its parent, when the component is released first or last.
  private func check<Parent>(_ name: String, _ parent: (Root) -> Parent) {
    let ledger = Ledger()
    var root: Root? = Root(ledger)
    var child: Child<Parent>? = root.map { Child(parent($0), ledger) }
    #expect(child != nil)
    root = nil
    #expect(ledger.gone == [], "\(name)")
    child = nil
    #expect(ledger.gone == ["child", "root"], "\(name)")
    ledger.gone = []
    root = Root(ledger)
    child = root.map { Child(parent($0), ledger) }
    child = nil
    #expect(ledger.gone == ["child"], "\(name)")
    #expect(root?.name == "root")
    root = nil
    #expect(ledger.gone == ["child", "root"], "\(name)")
  }

  @Test("releases that dependency once, when both are released")
  func release() {
    check("class") { $0 }
    check("protocol") { $0 as any Provider }
    check("composition") { $0 as any Provider & Naming }
    check("class and protocol") { $0 as any Component<any EmptyDependency> & Naming }
    check("AnyObject") { $0 as AnyObject }
    check("Any") { $0 as Any }
    check("Sendable Any") { $0 as any Hashable }
    check("AnyHashable") { AnyHashable($0) }
    check("optional class") { Optional($0) }
    check("optional protocol") { Optional($0 as any Provider) }
    check("optional composition") { Optional($0 as any Provider & Naming) }
    check("optional Any") { Optional($0 as Any) }
    check("Any with optional") { Optional($0) as Any }
    check("twice optional") { Optional(Optional($0)) }
    check("twice optional Any") { Optional(Optional($0 as Any)) }
    check("optional any hashable") { Optional($0 as any Hashable) }
    check("tuple") { ($0, 1) }
    check("array") { [$0] }
    check("struct") { Bundle(root: $0) }
    check("any struct") { Bundle(root: $0) as Any }
    check("enum") { Choice.one($0) }
    check("optional struct") { Optional(Bundle(root: $0)) }
    check("closure") { root in { root } }
  }
}
