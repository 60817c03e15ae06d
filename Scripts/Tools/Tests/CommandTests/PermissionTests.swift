// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Generation
import Support
import Testing

@Suite("Without the permission to write")
struct PermissionTests {
  private let folder = TemporaryFolder()
  private let writer = Tool.products.appending(path: "KilledWriter")

  @Test("in a folder, an edit is refused and nothing is changed", arguments: [".", "Features", "Features/Login"])
  func folders(path: String) throws {
    try folder.write("root", to: "RootRouter.swift")
    try folder.write("login", to: "Features/Login/LoginRouter.swift")
    // The superuser may write anywhere, so the writer drops that privilege and needs the permissions of others here.
    for path in folder.everything + ["."] { try permit(path, 0o777) }
    let plan = Plan(
      root: folder.url,
      changes: [
        FileChange(path: "Features/Login/LoginRouter.swift", before: Data("login".utf8), after: nil),
        FileChange(path: "Features/Guest/GuestRouter.swift", before: nil, after: Data("guest".utf8)),
        FileChange(path: "RootRouter.swift", before: Data("root".utf8), after: Data("new root".utf8)),
      ])
    let input = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
    let before = folder.contents
    try permit(path, 0o555)
    let refused = try Tool.run(writer, ["unprivileged"], in: folder.url, input: input)
    #expect(refused.status == 73, "\(refused)")
    #expect(refused.output.hasPrefix("there is no permission to write in the folder '"), "\(refused)")
    #expect(refused.output.hasSuffix("\nNothing was changed.\n"), "\(refused)")
    #expect(folder.contents == before)
    try permit(path, 0o777)
    #expect(try Tool.run(writer, ["unprivileged"], in: folder.url, input: input).status == 0)
    #expect(folder.contents == ["Features/Guest/GuestRouter.swift": "guest", "RootRouter.swift": "new root"])
  }

  private func permit(_ path: String, _ bits: Int) throws {
    let path = path == "." ? folder.url.path : folder.url.appending(path: path).path
    try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: path)
  }
}
