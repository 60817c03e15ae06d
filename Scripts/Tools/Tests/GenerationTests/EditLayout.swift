// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import Generation

/// A layout of files in folders, and an edit of them.
struct EditLayout: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let before: [String: String]
  /// The new contents of files, or nil for deleted ones.
  let changes: [String: String?]
  /// The initial permission bits of files and folders.
  var permissions: [String: Int] = [:]

  static let all = [
    EditLayout(
      testDescription: "a folder with nothing but files that are renamed",
      before: [
        "Features/Login/Sources/LoginBuilder.swift": "builder", "Features/Login/Sources/LoginRouter.swift": "router",
        "Features/Root/Sources/RootRouter.swift": "login",
      ],
      changes: [
        "Features/Login/Sources/LoginBuilder.swift": nil, "Features/Login/Sources/LoginRouter.swift": nil,
        "Features/Login/Sources/GuestBuilder.swift": "new builder",
        "Features/Login/Sources/GuestRouter.swift": "new router",
        "Features/Root/Sources/RootRouter.swift": "guest",
      ]),
    EditLayout(
      testDescription: "a folder that is renamed with what is in it",
      before: [
        "RIBs/Login/LoginBuilder.swift": "builder", "RIBs/Login/Views/LoginView.swift": "view",
        "RIBs/Login/notes.txt": "notes", "RIBs/Root/RootRouter.swift": "login",
      ],
      changes: [
        "RIBs/Login/LoginBuilder.swift": nil, "RIBs/Login/Views/LoginView.swift": nil, "RIBs/Login/notes.txt": nil,
        "RIBs/Guest/GuestBuilder.swift": "new builder", "RIBs/Guest/Views/GuestView.swift": "new view",
        "RIBs/Guest/notes.txt": "notes", "RIBs/Root/RootRouter.swift": "guest",
      ],
      permissions: ["RIBs/Login": 0o750, "RIBs/Login/Views": 0o700, "RIBs/Login/notes.txt": 0o640]),
    EditLayout(
      testDescription: "folders that are emptied",
      before: ["Only/One/Two/deleted.swift": "deleted", "Only/One/deleted.swift": "", "kept.swift": "kept"],
      changes: ["Only/One/Two/deleted.swift": nil, "Only/One/deleted.swift": nil]),
    EditLayout(
      testDescription: "files in folders that are not there, beside a folder with a hidden file",
      before: ["A/deleted.swift": "deleted", "A/.hidden": "hidden"],
      changes: ["A/deleted.swift": nil, "B/C/one.swift": "one", "B/D/two.swift": "", "B/three.swift": "three"]),
    EditLayout(
      testDescription: "every kind of change at once",
      before: ["Old/deleted.swift": "deleted", "changed.swift": "old", "run": "#!/bin/sh"],
      changes: ["Old/deleted.swift": nil, "New/made.swift": "made", "changed.swift": "new", "run": "#!/bin/bash"],
      permissions: ["run": 0o755, "changed.swift": 0o600, "Old": 0o711]),
  ]

  /// Writes the files.
  func write(to folder: TemporaryFolder) throws {
    for (path, text) in before { try folder.write(text, to: path) }
    for (path, bits) in permissions {
      try FileManager.default.setAttributes(
        [.posixPermissions: bits], ofItemAtPath: folder.url.appending(path: path).path)
    }
  }

  func plan(in folder: TemporaryFolder) -> Plan {
    Plan(
      root: folder.url,
      changes: changes.map { path, after in
        FileChange(path: path, before: before[path].map { Data($0.utf8) }, after: after.map { Data($0.utf8) })
      })
  }

  /// The contents and permissions in a folder by path, excluding the folder of the journal.
  static func state(of folder: TemporaryFolder) throws -> [String: String] {
    let contents = folder.contents
    var state: [String: String] = [:]
    for path in folder.everything where !path.hasPrefix(Transaction.folderName) {
      let bits = try Disk().permissions(of: folder.url.appending(path: path))
      state[path] = String(bits, radix: 8) + " " + (contents[path] ?? "folder")
    }
    return state
  }
}
