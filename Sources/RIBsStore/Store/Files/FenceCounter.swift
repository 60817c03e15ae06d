// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Allocates increasing fences, across processes too, so that a removed record needs no file with its last fence.
///
/// Fences are reserved in blocks of a million. A file contains the upper bound of the reserved range. Called on threads of
/// the disk only.
final class FenceCounter: Sendable {
  private struct Reservation: Codable {
    var store = RecordFile.format
    let fences: UInt64
  }

  private struct State {
    var last: UInt64
    var reserved: UInt64
  }

  private static let blockSize: UInt64 = 1_000_000
  private let files: FileFolders
  private let path: String
  private let state: Locked<State>

  /// Reads the file.
  init(_ files: FileFolders) throws(FileStoreError) {
    self.files = files
    path = files.layout.fences
    var reserved: UInt64 = 0
    if let bytes = try files.system.read(path, atMost: .max) {
      guard let reservation = try? JSONDecoder().decode(Reservation.self, from: Data(bytes)) else {
        throw .damaged(file: path, reason: "it has no largest fence")
      }
      guard reservation.store <= RecordFile.format else {
        throw .laterFormat(file: path, format: reservation.store)
      }
      guard reservation.fences <= RecordFile.largestNumber else {
        throw .damaged(file: path, reason: "its largest fence is too large")
      }
      reserved = reservation.fences
    }
    state = Locked(State(last: reserved, reserved: reserved))
  }

  /// Allocates a fence that is larger than all before, and than the stored one.
  ///
  /// While the disk is full, the fence is not reserved, so that trees can still be read: `reserve(_:)` must succeed before
  /// it is written.
  func next(after stored: UInt64) throws(FileStoreError) -> UInt64 {
    let result: Result<UInt64, FileStoreError> = state.withLock { state in
      let fence = max(state.last, stored) + 1
      do throws(FileStoreError) { try reserve(fence, in: &state) } catch {
        guard error.isFullDisk else { return .failure(error) }
      }
      state.last = fence
      return .success(fence)
    }
    return try result.get()
  }

  /// Returns when no later process can allocate the fence.
  func reserve(_ fence: UInt64) throws(FileStoreError) {
    let result: Result<Void, FileStoreError> = state.withLock { state in
      do throws(FileStoreError) { return .success(try reserve(fence, in: &state)) } catch { return .failure(error) }
    }
    try result.get()
  }

  private func reserve(_ fence: UInt64, in state: inout State) throws(FileStoreError) {
    guard fence > state.reserved else { return }
    let reserved = fence + (FenceCounter.blockSize - 1)
    try files.replace(path, with: bytes(reserved))
    try files.system.synchronizeDirectory(files.layout.directory)
    state.reserved = reserved
  }

  private func bytes(_ reserved: UInt64) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Integers can always be encoded.
    return (try? encoder.encode(Reservation(fences: reserved))).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
  }
}
