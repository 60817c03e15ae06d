// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Generation

/// A disk that counts operations, and fails or simulates a killed process at one of them. It does not flush, to save
/// time.
final class FaultyDisk: FileSystem {
  /// The progress of the operation when the fault occurs.
  enum Moment: CaseIterable {
    case before
    /// Half of a file has been written. Equivalent to `before` for other operations.
    case halfway
    case after
  }

  struct Fault: Error {
    let operation: Int
    let moment: Moment
    /// Whether every later operation fails too, as after a kill of the process.
    var kills = false
  }

  private let disk = Disk()
  private var faults: [Fault]
  private var isKilled = false
  /// The operations so far, including failed ones.
  private(set) var operations: [FileOperation] = []
  /// Paths that can't be written.
  var writeProtected: Set<String> = []

  init(_ faults: Fault...) { self.faults = faults }

  func kind(of url: URL) -> FileKind? { disk.kind(of: url) }
  func contents(of file: URL) throws -> Data { try disk.contents(of: file) }
  func permissions(of url: URL) throws -> Int { try disk.permissions(of: url) }
  func entries(of folder: URL) throws -> [String] { try disk.entries(of: folder) }

  func isWritable(_ url: URL) -> Bool {
    !writeProtected.contains(url.standardizedFileURL.path) && disk.isWritable(url)
  }

  func perform(_ operation: FileOperation) throws {
    let number = operations.count
    operations.append(operation)
    if isKilled { throw Fault(operation: number, moment: .before, kills: true) }
    guard let fault = faults.first(where: { $0.operation == number }) else { return try carryOut(operation) }
    isKilled = fault.kills
    switch (fault.moment, operation) {
    case (.after, _): try carryOut(operation)
    case (.halfway, .createFile(let file, let data, _)):
      try disk.perform(.createFile(file, data.prefix(data.count / 2), permissions: nil))
    case (.before, _), (.halfway, _): break
    }
    throw fault
  }

  private func carryOut(_ operation: FileOperation) throws {
    if case .sync = operation { return }
    try disk.perform(operation)
  }
}
