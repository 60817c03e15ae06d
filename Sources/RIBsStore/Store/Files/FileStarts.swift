// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// The files about the starts of trees. Called on threads of the disk only.
///
/// The file of a claim is empty. Only a quarantine is synchronized, so that a claim stays cheap: what is not survives the end
/// of the process, and a crash of the machine is not the fault of a tree.
struct FileStarts: Sendable {
  /// What is known of the starts of a tree.
  struct Entry: Hashable, Sendable {
    var starts: UnfinishedStarts
    var isQuarantined = false
  }

  private struct Content: Codable {
    var store = RecordFile.format
    let count: Int
    let last: String
    let isQuarantined: Bool
  }

  let folders: FileFolders

  /// Reads all files. Few trees have one: those that were being started when the process ended, and those in quarantine.
  func all() throws(FileStoreError) -> [TreeKey: Entry] {
    var entries: [TreeKey: Entry] = [:]
    for name in try folders.system.names(in: folders.layout.directory) ?? [] {
      guard let kind = FileLayout.decoded(name) else { continue }
      for name in try folders.system.names(in: folders.layout.starts(of: kind)) ?? [] {
        guard let id = FileLayout.id(ofFile: name) else { continue }
        let key = TreeKey(kind: kind, id: id)
        guard let bytes = try folders.system.read(folders.layout.starts(of: key), atMost: RecordFile.longestHeader)
        else {
          continue
        }
        entries[key] = FileStarts.entry(bytes)
      }
    }
    return entries
  }

  /// A file that can't be read is one of a claim: the tree is started alone, and its file written again.
  private static func entry(_ bytes: [UInt8]) -> Entry {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.store == RecordFile.format
    else {
      return Entry(starts: UnfinishedStarts(count: 1))
    }
    return Entry(
      starts: UnfinishedStarts(count: max(content.count, 1), last: content.last), isQuarantined: content.isQuarantined)
  }

  /// Marks the start of a tree as unfinished.
  func mark(_ key: TreeKey) throws(FileStoreError) {
    let (system, file) = (folders.system, folders.layout.starts(of: key))
    do throws(FileStoreError) { system.close(try system.create(file)) } catch {
      guard case .system(_, _, ENOENT) = error else { throw error }
      _ = try system.makeDirectory(folders.layout.starts(of: key.kind))
      system.close(try system.create(file))
    }
  }

  func write(_ entry: Entry, of key: TreeKey) throws(FileStoreError) {
    let folder = folders.layout.starts(of: key.kind)
    try folders.makeFolder(folder, of: key.kind)
    let content = Content(count: entry.starts.count, last: entry.starts.last, isQuarantined: entry.isQuarantined)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and integers can always be encoded.
    let bytes = (try? encoder.encode(content)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    guard entry.isQuarantined else {
      // If the process ends in between, the file is one of a claim.
      try remove(key)
      let file = try folders.system.create(folders.layout.starts(of: key))
      defer { folders.system.close(file) }
      return try folders.system.write(bytes, to: file)
    }
    try folders.replace(folders.layout.starts(of: key), with: bytes)
    try folders.system.synchronizeDirectory(folder)
  }

  func remove(_ key: TreeKey) throws(FileStoreError) { try folders.system.remove(folders.layout.starts(of: key)) }

  /// Ends the quarantine of a tree.
  func retry(_ key: TreeKey) throws(FileStoreError) {
    try remove(key)
    try folders.system.synchronizeDirectory(folders.layout.starts(of: key.kind))
  }
}
