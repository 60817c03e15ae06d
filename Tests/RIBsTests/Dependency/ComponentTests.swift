// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("A component")
struct ComponentTests {
  final class Thing {}

  final class Shelf: Component<EmptyDependency> {
    private(set) var optionalCount = 0

    var one: Thing { shared { Thing() } }
    var other: Thing { shared { Thing() } }
    var holder: [Thing] { shared { [one, other] } }
    var nothing: Thing? {
      shared {
        optionalCount += 1
        return nil
      }
    }

    func thing(_ text: String) -> [String] { shared { [text] } }
    func thing(_ number: Int) -> [String] { shared { ["\(number)"] } }
    func list<Element>(of element: Element) -> [Element] { shared { [element] } }
  }

  private func shelf() -> Shelf { Shelf(dependency: EmptyComponent()) }

  @Test("creates each shared instance, also nil, once for each declaration, and apart from other components")
  func shared() {
    let shelf = shelf()
    #expect(shelf.one === shelf.one)
    #expect(shelf.other === shelf.other)
    #expect(shelf.one !== shelf.other)
    #expect(shelf.holder[0] === shelf.one)
    #expect(shelf.holder[1] === shelf.other)
    #expect(shelf.one !== self.shelf().one)

    #expect(shelf.nothing == nil)
    #expect(shelf.nothing == nil)
    #expect(shelf.optionalCount == 1)
  }

  @Test("distinguishes overloads of one name, and has one instance of a generic declaration for each type")
  func overloads() {
    let shelf = shelf()
    #expect(shelf.thing("a") == ["a"])
    #expect(shelf.thing(1) == ["1"])
    #expect(shelf.thing("b") == ["a"])
    #expect(shelf.thing(2) == ["1"])
    #expect(shelf.list(of: 1) == [1])
    #expect(shelf.list(of: "a") == ["a"])
    #expect(shelf.list(of: 2) == [1])
    #expect(shelf.list(of: "b") == ["a"])
  }

  @Test("distinguishes declarations that a macro has put on one line")
  func macro() async {
    await #expect(processExitsWith: .success) {
      final class Expanded: Component<EmptyDependency> {
        var first: [Int] { shared { [1] } }
        var second: [Int] { shared { [2] } }
      }
      let component = Expanded(dependency: EmptyComponent())
      precondition(component.first == [1] && component.second == [2])
    }
  }

  @Test("releases its shared instances with itself")
  func release() {
    var shelf: Shelf? = shelf()
    weak let thing = shelf?.one
    #expect(thing != nil)
    shelf = nil
    #expect(thing == nil)
  }

  @Test("reports a cycle of shared instances with its chain, and ends the process")
  func circle() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Circle: Component<EmptyDependency> {
        var first: [Int] { shared { second } }
        var second: [Int] { shared { third } }
        var third: [Int] { shared { first } }
      }
      _ = Circle(dependency: EmptyComponent()).first
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let circle = "The shared instances of Circle need each other in a circle: first ("
    #expect([circle, "second (", "third (", "-> first again"].allSatisfy(text.contains))
  }
}
