// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Reads and writes the files of a store. Called on threads of the disk only.
final class FileFolders: Sendable {
  let layout: FileLayout
  let system: any FileSystem
  private let nextTemporaryFile = Locked(0)
  /// The folders that are known to exist.
  private let folders = Locked<Set<String>>([])

  init(_ layout: FileLayout, _ system: any FileSystem) {
    self.layout = layout
    self.system = system
  }

  // MARK: Start

  /// Makes the directory, with its parents.
  func makeDirectory() throws(FileStoreError) { try makeDirectory(layout.directory) }

  private func makeDirectory(_ path: String) throws(FileStoreError) {
    let isNew: Bool
    do throws(FileStoreError) {
      isNew = try system.makeDirectory(path)
    } catch {
      guard case .system(_, _, ENOENT) = error, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
        throw error
      }
      try makeDirectory(String(path[..<slash]))
      isNew = try system.makeDirectory(path)
    }
    if isNew { try synchronizeParent(of: path) }
  }

  /// Removes the files that were being written when an earlier process ended.
  func removeTemporaryFiles() throws(FileStoreError) {
    let folder = layout.temporaryFiles
    if try system.makeDirectory(folder) { return }
    for name in try system.names(in: folder) ?? [] where FileFolders.isTemporary(name) {
      try system.remove(folder + "/" + name)
    }
  }

  /// The IDs of the trees that are awake, by kind. Does not read the folders of the others.
  func awake() throws(FileStoreError) -> [String: [String]] {
    var ids: [String: [String]] = [:]
    for name in try system.names(in: layout.directory) ?? [] {
      guard let kind = FileLayout.decoded(name), let names = try system.names(in: layout.folder(of: kind, .awake))
      else {
        continue
      }
      ids[kind] = names.compactMap(FileLayout.id(ofFile:)).sorted()
    }
    return ids
  }

  // MARK: Reading

  /// The IDs of all files of records, sorted, by kind.
  func ids(of kind: String?) throws(FileStoreError) -> [(kind: String, ids: [String])] {
    guard let names = try system.names(in: layout.directory) else {
      let isFile = try system.read(layout.directory, atMost: 0) != nil
      throw .system(call: "opendir", path: layout.directory, code: isFile ? ENOTDIR : ENOENT)
    }
    var found: [(kind: String, ids: [String])] = []
    for name in names.compactMap(FileLayout.decoded).sorted() where kind == nil || kind == name {
      var ids: Set<String> = []
      for place in RecordPlace.allCases {
        ids.formUnion((try system.names(in: layout.folder(of: name, place)) ?? []).compactMap(FileLayout.id(ofFile:)))
      }
      found.append((name, ids.sorted()))
    }
    return found
  }

  /// Finds the file of a tree, and reads all of it.
  func record(of key: TreeKey) throws(FileStoreError) -> (files: RecordFiles, current: RecordFile?) {
    var found: [RecordPlace: RecordFile] = [:]
    for place in RecordPlace.allCases {
      let file = layout.file(of: key, place)
      if let bytes = try system.read(file, atMost: .max) { found[place] = try RecordFile(bytes, of: key, in: file) }
    }
    let files = FileFolders.files(found[.awake]?.header, found[.asleep]?.header)
    return (files, files.current.flatMap { found[$0] })
  }

  /// Finds the file of a tree, and reads its header.
  func header(of key: TreeKey) throws(FileStoreError) -> (files: RecordFiles, current: RecordFile.Header?) {
    var found: [RecordPlace: RecordFile.Header] = [:]
    for place in RecordPlace.allCases {
      let file = layout.file(of: key, place)
      if let bytes = try system.read(file, atMost: RecordFile.longestHeader) {
        found[place] = try RecordFile.header(in: bytes, of: key, in: file)
      }
    }
    let files = FileFolders.files(found[.awake], found[.asleep])
    return (files, files.current.flatMap { found[$0] })
  }

  private static func files(_ awake: RecordFile.Header?, _ asleep: RecordFile.Header?) -> RecordFiles {
    switch (awake, asleep) {
    case (nil, nil): .none
    case (_?, nil): .one(.awake)
    case (nil, _?): .one(.asleep)
    case (let awake?, let asleep?):
      .both(current: (awake.fence, awake.version) < (asleep.fence, asleep.version) ? .asleep : .awake)
    }
  }

  // MARK: Writing

  /// Replaces a file atomically: after a crash at any point, the path has the old content or the new one.
  ///
  /// The replacement survives a crash of the machine once the folder is synchronized.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileStoreError) {
    let number = nextTemporaryFile.withLock { number in
      number += 1
      return number
    }
    let temporary = layout.temporaryFiles + "/\(number).tmp"
    let file = try system.create(temporary)
    do throws(FileStoreError) {
      do throws(FileStoreError) {
        try system.write(bytes, to: file)
        try system.synchronize(file)
      } catch {
        system.close(file)
        throw error
      }
      system.close(file)
      try system.rename(temporary, to: path)
    } catch {
      // If that fails too, the next start removes it.
      try? system.remove(temporary)
      throw error
    }
  }

  /// Makes the folder of a record, unless it is known to exist.
  func makeFolder(of kind: String, _ place: RecordPlace) throws(FileStoreError) {
    try makeFolder(layout.folder(of: kind, place), of: kind)
  }

  /// Makes a folder of a kind, unless it is known to exist.
  ///
  /// - Parameter parent: the folder that it is in; nil for that of the kind.
  func makeFolder(_ folder: String, of kind: String, in parent: String? = nil) throws(FileStoreError) {
    let failure: FileStoreError? = folders.withLock { folders in
      guard !folders.contains(folder) else { return nil }
      do throws(FileStoreError) {
        // The parents are synchronized even if the folder exists: an earlier attempt may have failed to.
        _ = try system.makeDirectory(layout.kind(kind))
        try system.synchronizeDirectory(layout.directory)
        if let parent {
          _ = try system.makeDirectory(parent)
          try system.synchronizeDirectory(layout.kind(kind))
        }
        _ = try system.makeDirectory(folder)
        try system.synchronizeDirectory(parent ?? layout.kind(kind))
        folders.insert(folder)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }

  /// Makes the folder again the next time: it is about to be removed, or may have been.
  func forgetFolder(_ folder: String) { folders.withLock { _ = $0.remove(folder) } }

  private func synchronizeParent(of path: String) throws(FileStoreError) {
    guard let slash = path.lastIndex(of: "/") else { return try system.synchronizeDirectory(".") }
    try system.synchronizeDirectory(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  private static func isTemporary(_ name: String) -> Bool {
    name.hasSuffix(".tmp") && !name.dropLast(4).isEmpty && name.dropLast(4).utf8.allSatisfy { 48...57 ~= $0 }
  }
}
