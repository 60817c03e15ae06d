// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import RidesProbe

struct RidesTests {
  @Test("counts a ride that has arrived")
  func arrival() {
    let test = TestTree(recording: [.attachments])
    let session = test.launch(SessionRouter())
    session.interactor.order()
    test.advance(by: .seconds(600))
    #expect(session.interactor.savedState == 1)
    test.expect("Session attached", "Session/Ride attached", "Session/Ride detached")
    test.finish()
  }
}
