// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A router that was given no interactor", .folded)
struct NoInteractorTests {
  @Test("has the same stand-in each time that it is asked for one, which never becomes active")
  func standIn() {
    var router: Router<Int>?
    #expect(recordMisuses { router = Router(interactor: 3) }.map(\.kind) == [.notAnInteractor])
    #expect(router?.interactable === router?.interactable)
    #expect(router?.interactable.isActive == false)
  }
}
