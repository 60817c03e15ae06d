// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector
import Testing

/// The picture of the documentation: `Scripts/serve-picture` takes it.
@Suite("The picture of the page", .needsBrowser, .timeLimit(.minutes(15)))
struct PictureTests {
  @Test("is taken of a run of the demonstration, if RIBS_PICTURES names a folder and RIBS_TAXI the program")
  func take() throws {
    let environment = ProcessInfo.processInfo.environment
    guard let folder = environment["RIBS_PICTURES"], let taxi = environment["RIBS_TAXI"] else { return }
    let directory = "/tmp/ribs-picture-\(UInt32.random(in: .min ... .max))"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let process = Process()
    process.executableURL = URL(filePath: taxi)
    process.arguments = ["watch", "--inspect", "--taxis", "5", "--speed", "200", "--seed", "7", "--fault-rate", "0.6"]
    process.environment = environment.merging(["XDG_RUNTIME_DIR": directory]) { _, new in new }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    while try InspectedProcess.all(in: "\(directory)/ribs").isEmpty {}
    let serve = try Program("ribs-live", ["serve", "--directory", "\(directory)/ribs"])
    let page = try Chromium(try #require(serve.output.line()), width: 1_180, height: 660)
    page.companions = [serve]
    // A minute of taxi orders, until something has failed and a taxi is on its way.
    try page.wait(
      "page.history?.events.length > 400 && page.history.problems.length > 0", atMost: 200)
    try page.wait(
      "(() => { const node = [...page.history.state.nodes.values()].find((node) => node.name === 'OrderResultDetail'); "
        + "if (node) page.select(node.id); return node; })()", atMost: 200)
    try page.evaluate("page.setTheme('light')")
    try page.picture().write(to: URL(filePath: folder).appending(path: "live-page.png"))
  }
}
