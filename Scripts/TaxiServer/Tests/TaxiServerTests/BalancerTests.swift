// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The configurations of balancers")
struct BalancerTests {
  @Test("are those of the article that Scripts/check-balancers runs", arguments: ["haproxy.cfg", "nginx.conf"])
  func article(file: String) throws {
    let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let article = try String(
      contentsOf: scripts.appending(path: "../Sources/RIBsStore/RIBsStore.docc/SeveralMachines.md"), encoding: .utf8)
    let text = try String(contentsOf: scripts.appending(path: "TaxiServer/Balancers/\(file)"), encoding: .utf8)
    #expect(article.contains("```\n\(text)```\n"))
  }
}
