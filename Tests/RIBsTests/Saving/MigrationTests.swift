// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Testing

@Suite("A state that has changed its shape") @MainActor
struct MigrationTests {
  struct NameV1: Codable, Sendable { var name = "" }
  struct NamesV2: Codable, Sendable { var names: [String] = [] }
  struct PeopleV3: Codable, Sendable, Equatable { var people: [String: Int] = [:] }

  // Three versions of one program, each with its own RIB named `Group`.
  enum V1 {
    final class GroupInteractor: Interactor, Saving { var savedState = NameV1() }
  }

  enum V2 {
    final class GroupInteractor: Interactor, Saving {
      var savedState = NamesV2()
      static var savedVersion: Int { 2 }
      static func migrate(_ old: SavedTree.OldState, from version: Int) throws -> NamesV2 {
        NamesV2(names: [try old.decode(NameV1.self).name])
      }
    }
  }

  enum V3 {
    final class GroupInteractor: Interactor, Saving {
      var savedState = PeopleV3()
      static var savedVersion: Int { 3 }
      static func migrate(_ old: SavedTree.OldState, from version: Int) throws -> PeopleV3 {
        let names = version == 1 ? [try old.decode(NameV1.self).name] : try old.decode(NamesV2.self).names
        guard names.count < 3 else { throw Failure() }
        return PeopleV3(people: Dictionary(names.map { ($0, 0) }, uniquingKeysWith: { first, _ in first }))
      }
    }
  }

  private func document(of root: any Routing) throws -> SavedTree {
    let tree = Tree.launched(root)
    return try SavedTree(tree.save().encoded(by: PlainCoder()))
  }

  private func newest(from saved: SavedTree) throws -> PeopleV3 {
    let root = Router(interactor: V3.GroupInteractor())
    let tree = try Tree(root: root, restoring: saved, coder: PlainCoder())
    #expect(tree.launch())
    #expect(try tree.document().contains("\"v\":3"))
    return root.interactor.savedState
  }

  @Test("is restored from each earlier version, and refused by an earlier one")
  func versions() throws {
    let one = Router(interactor: V1.GroupInteractor())
    one.interactor.savedState.name = "Ann"
    #expect(try newest(from: document(of: one)) == PeopleV3(people: ["Ann": 0]))
    // A captured state that was never encoded.
    #expect(try newest(from: Tree.launched(one).save()) == PeopleV3(people: ["Ann": 0]))

    let two = Router(interactor: V2.GroupInteractor())
    two.interactor.savedState.names = ["Ann", "Bob"]
    #expect(try newest(from: document(of: two)) == PeopleV3(people: ["Ann": 0, "Bob": 0]))

    let three = Router(interactor: V3.GroupInteractor())
    three.interactor.savedState.people = ["Eve": 3]
    let saved = try document(of: three)
    #expect(try newest(from: saved) == PeopleV3(people: ["Eve": 3]))
    for old: any Routing in [
      Router(interactor: V1.GroupInteractor()), Router(interactor: V2.GroupInteractor()),
    ] {
      #expect { try Tree(root: old, restoring: saved, coder: PlainCoder()) } throws: { error in
        guard let error = error as? SavedTree.RestoreError, case .laterVersion(3, _) = error.reason else {
          return false
        }
        return error.path == "Group"
      }
    }
  }

  @Test("is refused with the error of the conversion")
  func wrong() throws {
    let two = Router(interactor: V2.GroupInteractor())
    two.interactor.savedState.names = ["a", "b", "c"]
    let saved = try document(of: two)
    let root = Router(interactor: V3.GroupInteractor())
    #expect { try Tree(root: root, restoring: saved, coder: PlainCoder()) } throws: { error in
      guard let error = error as? SavedTree.RestoreError, case .migrationFailed(2, let cause) = error.reason else {
        return false
      }
      return cause is Failure
    }
    #expect(root.interactor.savedState == PeopleV3())
  }
}
