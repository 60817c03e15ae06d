// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Generation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Executes the plan on standard input, as `ribs` does.
///
/// Given a number, it kills itself before the operation with that number; given `unprivileged`, it drops the
/// superuser's privileges first. Prints the failure, if there is one.
@main
struct KilledWriter {
  static func main() throws {
    let plan = try JSONDecoder().decode(Plan.self, from: FileHandle.standardInput.readDataToEndOfFile())
    let argument = CommandLine.arguments.dropFirst().first
    if argument == "unprivileged", getuid() == 0, setgid(65534) != 0 || setuid(65534) != 0 { exit(70) }
    do {
      try Transaction.carryOut(plan, files: KillingDisk(left: argument.flatMap { Int($0) } ?? .max))
    } catch let failure as Failure {
      print(failure.message)
      exit(failure.status)
    }
  }
}

private final class KillingDisk: FileSystem {
  private let disk = Disk()
  private var left: Int

  init(left: Int) { self.left = left }

  func kind(of url: URL) -> FileKind? { disk.kind(of: url) }
  func contents(of file: URL) throws -> Data { try disk.contents(of: file) }
  func permissions(of url: URL) throws -> Int { try disk.permissions(of: url) }
  func entries(of folder: URL) throws -> [String] { try disk.entries(of: folder) }
  func isWritable(_ url: URL) -> Bool { disk.isWritable(url) }

  func perform(_ operation: FileOperation) throws {
    if left == 0 { kill(getpid(), SIGKILL) }
    left -= 1
    try disk.perform(operation)
  }
}
