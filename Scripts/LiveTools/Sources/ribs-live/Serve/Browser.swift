// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Opens an address in the user's browser.
///
/// The command line of a program is visible to all users of the machine, so the address, with its token, is not on it:
/// the browser gets a file that only this user can read, which leads to the address.
enum Browser {
  private static let folder = Mutex<URL?>(nil)

  static func open(_ address: String) {
    guard let program = ["xdg-open", "open"].lazy.compactMap(Browser.path).first, let file = try? file(address) else {
      return FileHandle.standardError.write(Data("note: no browser was found; open the address in one\n".utf8))
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = [file.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }

  /// Removes the file.
  static func forget() {
    folder.withLock { folder in
      if let folder { try? FileManager.default.removeItem(at: folder) }
      folder = nil
    }
  }

  private static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func file(_ address: String) throws -> URL {
    let made = FileManager.default.temporaryDirectory.appending(path: "ribs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: made, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    folder.withLock { $0 = made }
    let file = made.appending(path: "ribs.html")
    try Data("<!doctype html><title>RIBs</title><meta http-equiv=refresh content=\"0; url=\(address)\">".utf8)
      .write(to: file)
    return file
  }
}
