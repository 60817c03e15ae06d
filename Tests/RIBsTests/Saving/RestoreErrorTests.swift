// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A tree that can't be restored") @MainActor
struct RestoreErrorTests {
  private let journal = Journal()

  private func error(_ document: String, _ root: @autoclosure () -> any Routing = SavedRouter(.branch(1)))
    -> SavedTree.RestoreError?
  {
    do {
      _ = try Tree.restoring(root(), from: document)
      return nil
    } catch { return error }
  }

  @Test("says where and why, and no RIB of it was active")
  func reasons() throws {
    let (tree, _) = SavingTests.makeTree()
    let document = try tree.document()
    let root = SavedRouter(.branch(1))
    let subscription = root.interactor.isActiveStream.subscribe(onNext: { if $0 { journal.write("active") } })
    let wrong = document.replacing("\"number\":9", with: "\"number\":\"9\"")
    let failure = error(wrong, root)
    #expect(failure?.path == "Saved/Saved/Saved")
    guard case .unreadableState = failure?.reason else { Issue.record("\(String(describing: failure))"); return }
    #expect(journal.lines.isEmpty)
    #expect(!root.interactor.isActive)
    subscription.dispose()

    guard case .otherRoot("Saved", "Lamp") = error(document, LampRouter(interactor: LampInteractor()))?.reason
    else { Issue.record("root"); return }
    let twoRoutes = #"{"format":1,"ribs":[{"rib":"Saved","children":{"slot":[{"leaf":{"_0":1}},{"leaf":{"_0":2}}]}}]}"#
    let malformed = ["", "{}", "[]", "{\"format\":1}", "{\"format\":1,\"ribs\":[]} x", document + "}"]
    let reasons =
      [
        (
          document.replacing("{\"leaf\":{\"_0\":2}}", with: "2"),
          "unreadableChildren(container: \"kept\"", "the former one"
        ),
        (twoRoutes, "unreadableChildren(container: \"slot\"", "the former one"),
        (document.replacing("\"format\":1", with: "\"format\":2"), "laterFormat(2)", "Use the later version"),
        (document.replacing("\"v\":1", with: "\"v\":2"), "laterVersion(saved: 2, known: 1)", "Deploy the later"),
        (document.replacing("\"v\":1", with: "\"v\":0"), "migrationFailed(version: 0", "Repair migrate"),
        (document.replacing("\"number\":9", with: "\"number\":[]"), "unreadableState", "implement migrate"),
      ] + malformed.map { ($0, "malformedDocument", "Restore it from a backup") }
    for (text, reason, advice) in reasons {
      let error = error(text)
      let given = error.map { "\($0.reason)" } ?? "none"
      #expect(given.hasPrefix(reason), "\(text)")
      #expect(error?.description.contains(advice) == true, "\(text)")
    }
  }

  @Test("ends while it is launched if the state of a child that code attaches is refused, before that is active")
  func lateFailure() throws {
    let (tree, _) = SavingTests.makeTree()
    let document = try tree.document().replacing("\"state\":5", with: "\"state\":\"five\"")
    let root = SavedRouter(.branch(1))
    let restored = try Tree.restoring(root, from: document, TreeConfiguration(onEnd: { journal.write("\($0)") }))
    #expect(!restored.launch())
    #expect(!restored.isActive)
    #expect(!root.interactor.isActive)
    #expect(journal.lines.count == 1)
    #expect(journal.lines.first?.hasPrefix("it was not restored: Saved/Badge: The state can't be decoded") == true)
  }

  @Test("is thrown by the host that was to restore it, before and during the launch")
  func host() async throws {
    let (tree, _) = SavingTests.makeTree()
    let document = try tree.document()
    for (good, bad) in [("\"number\":9", "\"number\":[]"), ("\"state\":5", "\"state\":null")] {
      let text = document.replacing(good, with: bad)
      #expect(text != document)
      await #expect(throws: SavedTree.RestoreError.self) {
        try await TreeHost(restoring: SavedTree(Array(text.utf8)), coder: PlainCoder()) { SavedRouter(.branch(1)) }
      }
    }
    let host = try await TreeHost(restoring: SavedTree(Array(document.utf8)), coder: PlainCoder()) {
      SavedRouter(.branch(1))
    }
    #expect(try await host.save().encoded(by: PlainCoder()) == Array(document.utf8))
    await host.shutdown()
    await #expect(throws: TreeEnded.self) { try await host.save() }
    let fresh = try await TreeHost(restoring: nil, coder: PlainCoder()) { SavedRouter(.branch(1)) }
    #expect(try await fresh.perform { $0.interactor.savedState.number } == 0)
    await fresh.shutdown()
  }
}

// Each test has an actor of its own, so that they share the processors.
@Suite("A document of a saved tree")
actor DocumentFuzzTests {
  /// Restores a document, and saves the restored tree; or returns the error.
  private func restore(_ bytes: [UInt8], by coder: some SavedTree.Coder = PlainCoder()) throws -> [UInt8]? {
    do {
      let root = SavedRouter(.branch(1))
      let tree = try Tree(root: root, restoring: SavedTree(bytes), coder: coder)
      guard tree.launch() else { return nil }
      let saved = try tree.save().encoded(by: coder)
      // Whatever was restored is a tree that survives.
      let copy = SavedRouter(.branch(1))
      let again = try Tree(root: copy, restoring: SavedTree(saved), coder: coder)
      let isActive = again.launch()
      #expect(isActive)
      #expect(try again.save().encoded(by: coder) == saved)
      // Uncovers what was covered. The state of a child that is attached then may be refused, which ends the tree.
      while copy.kept.pop() != nil {}
      return saved
    } catch let error as SavedTree.RestoreError {
      #expect(!error.description.isEmpty)
      return nil
    }
  }

  /// A tree with all that can be saved, and a covered RIB with children that its code attaches.
  private func makeTree() -> Tree {
    let (tree, root) = SavingTests.makeTree()
    root.kept.push(.branch(12))
    root.kept.push(.leaf(13))
    return tree
  }

  @Test(
    "with a changed byte is refused, or restored as a tree that can be saved",
    arguments: [PlainCoder(), OddCoder()] as [any SavedTree.Coder])
  func bytes(coder: any SavedTree.Coder) throws { try flipBytes(by: coder) }

  private func flipBytes(by coder: some SavedTree.Coder) throws {
    let document = try makeTree().save().encoded(by: coder)
    let masks = Thoroughness.count(
      usual: [0x01, 0x80], share: (0..<8).map { 1 << $0 }, whole: Array(1...255) as [UInt8])
    let step = Thoroughness.count(usual: 11, share: 1, whole: 1)
    let indexes = Array(stride(from: 0, to: document.count, by: step))
    var refused = 0
    for index in indexes {
      for mask in masks + [document[index]] {
        var changed = document
        changed[index] ^= mask
        if try restore(changed, by: coder) == nil { refused += 1 }
      }
    }
    #expect(refused > indexes.count)
    #expect(try restore(document, by: coder) == document)
  }

  @Test("without a byte, a line or a range is refused, or restored as a tree that can be saved")
  func missing() throws {
    let document = try makeTree().save().encoded(by: PlainCoder())
    // Debug builds try a share of the places, and exchange only lines that are near each other.
    let step = Thoroughness.count(usual: 11, share: 1, whole: 1)
    for index in stride(from: 0, to: document.count, by: step) {
      for length in [1, 7] where index + length <= document.count {
        var changed = document
        changed.removeSubrange(index..<(index + length))
        _ = try restore(changed)
      }
    }
    let lines = document.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for index in lines.indices {
      for other in lines.indices where Thoroughness.isExhaustive || abs(index - other) <= 2 {
        var (without, swapped, doubled) = (lines, lines, lines)
        without.remove(at: index)
        swapped.swapAt(index, other)
        doubled.insert(lines[index], at: other)
        for changed in [without, swapped, doubled] { _ = try restore(Array(changed.joined(separator: [0x0A]))) }
      }
    }
  }

  @Test("that was cut is refused")
  func prefixes() throws {
    let document = try makeTree().save().encoded(by: PlainCoder())
    // Without the last newline it is complete.
    for count in 0..<(document.count - 1) { #expect(try restore(Array(document.prefix(count))) == nil) }
    #expect(try restore(Array(document.dropLast())) == document)
  }

  @Test("with a field of another type is refused, or restored as a tree that can be saved")
  func types() throws {
    let document = try makeTree().document()
    let object = try JSON(document)
    var count = 0
    let others = ["null", "true", "-1", "3", "1e300", "9223372036854775808", "\"x\"", "[]", "{}", "[[[[]]]]"]
    // Debug builds try a third of them for each place.
    let step = Thoroughness.count(usual: 3, share: 1, whole: 1)
    for (number, place) in object.places.enumerated() {
      for index in stride(from: number % step, to: others.count, by: step) {
        _ = try restore(Array(object.replacing(place, with: others[index]).utf8))
        count += 1
      }
    }
    #expect(count > 1_000 / step)
  }

  @Test("of deep brackets, long strings and unknown keys takes no stack, and no memory but its own")
  func hostile() throws {
    let depth = Thoroughness.count(usual: 200_000, share: 1_000_000, whole: 1_000_000)
    let deep = String(repeating: "[", count: depth)
    let prefix = "{\"format\":1,\"ribs\":[{\"rib\":\"Saved\","
    #expect(try restore(Array("\(prefix)\"state\":\(deep)".utf8)) == nil)
    let closed = deep + String(repeating: "]", count: depth)
    #expect(try restore(Array("\(prefix)\"v\":1,\"state\":\(closed)}]}".utf8)) == nil)
    #expect(try restore(Array("\(prefix)\"later\":\(closed)}]}".utf8)) != nil)
    #expect(try restore(Array("\(prefix)\"in\":99999999999}]}".utf8)) == nil)
    #expect(try restore(Array("{\"format\":1,\"ribs\":[{\"rib\":\"Saved\"},{\"rib\":\"Saved\"}]}".utf8)) == nil)
    #expect(
      try restore(Array("{\"format\":1,\"ribs\":[{\"rib\":\"Saved\"},{\"in\":1,\"rib\":\"Saved\"}]}".utf8)) == nil)
    #expect(try restore(Array("{\"format\":1,\"ribs\":[{\"rib\":\"\\u0053aved\"}]}".utf8)) != nil)
    #expect(try restore(Array("{\"format\":1,\"ribs\":[{\"rib\":\"\\uD800\"}]}".utf8)) == nil)
    #expect(try restore(Array("{\"format\":1,\"ribs\":[{\"rib\":\"\\u+053aved\"}]}".utf8)) == nil)
  }
}

/// The places of all values of a JSON text.
private struct JSON {
  let text: [Character]
  var places: [Range<Int>] = []

  init(_ text: String) throws {
    self.text = Array(text)
    var starts: [Int] = []
    var index = 0
    while index < self.text.count {
      let start = index
      switch self.text[index] {
      case "{", "[": starts.append(index)
      case "}", "]": if let start = starts.popLast() { places.append(start..<(index + 1)) }
      case "\"":
        index += 1
        while self.text[index] != "\"" { index += self.text[index] == "\\" ? 2 : 1 }
        places.append(start..<(index + 1))
      case let character where character.isNumber:
        while self.text[index + 1].isNumber { index += 1 }
        places.append(start..<(index + 1))
      default: break
      }
      index += 1
    }
  }

  func replacing(_ place: Range<Int>, with value: String) -> String {
    String(text[..<place.lowerBound]) + value + String(text[place.upperBound...])
  }
}
