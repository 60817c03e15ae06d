// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import TestSupport
import Testing

@Suite("The locks of owners")
struct OwnerLocksTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/owners" }

  init() throws { folder = try TemporaryFolder() }

  @Test("are held until the object of the process is released")
  func holding() throws {
    let (owner, other) = (TreeOwner(), TreeOwner())
    var first = OwnerLocks(path: path)
    let second = try #require(OwnerLocks(path: path))
    #expect(first?.fileNumber == second.fileNumber)
    #expect(first?.hold(owner.id) == true && first?.hold(owner.id) == true)
    #expect(first?.isHeld(owner.id) == true && second.isHeld(owner.id) && !second.isHeld(other.id))
    // Another object that has the same owner.
    #expect(second.hold(owner.id))
    first = nil
    #expect(!second.isHeld(owner.id))
  }

  @Test("in another file say nothing, and a folder has none")
  func otherFile() throws {
    let first = try #require(OwnerLocks(path: path))
    try FileManager.default.removeItem(atPath: path)
    let second = try #require(OwnerLocks(path: path))
    #expect(first.fileNumber != second.fileNumber)
    #expect(OwnerLocks(path: folder.path) == nil)
  }
}
