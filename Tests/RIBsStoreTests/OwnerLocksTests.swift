// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import TestSupport
import Testing

@Suite("The locks of owners")
struct OwnerLocksTests {
  @Test("are held until the object of the process is released")
  func holding() async throws {
    try await withTemporaryDirectory { folder in
      let (owner, other) = (TreeOwner(), TreeOwner())
      var first = OwnerLocks(path: folder + "/owners")
      let second = try #require(OwnerLocks(path: folder + "/owners"))
      #expect(first?.fileNumber == second.fileNumber)
      #expect(first?.hold(owner.id) == true && first?.hold(owner.id) == true)
      #expect(first?.isHeld(owner.id) == true && second.isHeld(owner.id) && !second.isHeld(other.id))
      // Another object that has the same owner.
      #expect(second.hold(owner.id))
      first = nil
      #expect(!second.isHeld(owner.id))
    }
  }

  @Test("in another file say nothing, and a folder has none")
  func otherFile() async throws {
    try await withTemporaryDirectory { folder in
      let first = try #require(OwnerLocks(path: folder + "/owners"))
      try FileManager.default.removeItem(atPath: folder + "/owners")
      let second = try #require(OwnerLocks(path: folder + "/owners"))
      #expect(first.fileNumber != second.fileNumber)
      #expect(OwnerLocks(path: folder) == nil)
    }
  }
}
