// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// The files that say when sleeping trees wake. Called on threads of the disk only.
///
/// They are an index: the time in the header of a record counts. Each record of a sleeping tree with a time has its file,
/// because it is made before the record and removed after it. A crash may leave a file of a record that has another time or
/// none, which is removed when its time has come.
///
/// Trees that are awake have none, so that a tree whose time changes with each save costs nothing here while it is awake.
struct FileWakes: Sendable {
  let folders: FileFolders

  /// Makes the file of a tree. It survives a crash of the machine when the returned folder is synchronized.
  func add(_ key: TreeKey, at time: WallTime) throws(FileStoreError) -> String {
    let (system, layout) = (folders.system, folders.layout)
    let (folder, file) = (layout.wakes(of: key.kind, at: time), layout.wake(of: key, at: time))
    // A folder is removed when it is empty and its time has passed, perhaps after it was found here.
    for isLast in [false, false, true] {
      do throws(FileStoreError) {
        try folders.makeFolder(folder, of: key.kind, in: layout.wakes(of: key.kind))
        system.close(try system.create(file))
        return folder
      } catch {
        switch error {
        // A crash, or a save that has failed, has left it.
        case .system(_, _, EEXIST): return folder
        case .system(_, _, ENOENT) where !isLast: folders.forgetFolder(folder)
        default: throw error
        }
      }
    }
    return folder
  }

  /// Removes the file of a tree. After a crash of the machine it may be there again.
  func remove(_ key: TreeKey, at time: WallTime) throws(FileStoreError) {
    try folders.system.remove(folders.layout.wake(of: key, at: time))
  }

  /// The folders of a kind with times before the end, by time.
  func folders(of kind: String, before end: WallTime) throws(FileStoreError) -> [WakeFolder] {
    (try folders.system.names(in: folders.layout.wakes(of: kind)) ?? []).compactMap(WakeFolder.init(name:))
      .filter { $0.start < end }.sorted { $0.start < $1.start }
  }

  /// The trees in a folder, by time. Removes a folder without names whose time has passed.
  func entries(
    in folder: WakeFolder, of kind: String, at now: WallTime
  ) throws(FileStoreError) -> [(id: String, time: WallTime)] {
    let path = folders.layout.wakes(of: kind, at: folder.start)
    guard let names = try folders.system.names(in: path) else { return [] }
    if names.isEmpty, folder.end <= now {
      folders.forgetFolder(path)
      try? folders.system.removeDirectory(path)
    }
    return names.compactMap(folder.entry(ofFile:)).sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  /// Corrects the file of a tree whose record does not have its time.
  ///
  /// - Returns: the time of the record, for which there is a file then; nil if the tree does not wake.
  func correct(_ key: TreeKey, at time: WallTime) throws(FileStoreError) -> (time: WallTime, schema: Int)? {
    let (files, header) = try folders.header(of: key)
    let found = header.flatMap { header in header.wakes.map { (time: $0, schema: header.schema) } }
    let wakes = files.current == .asleep ? found : nil
    guard let wakes else {
      try remove(key, at: time)
      return nil
    }
    if FileLayout.wakeTime(wakes.time) != time {
      // As after a backup whose files are not of one moment.
      try folders.system.synchronizeDirectory(try add(key, at: wakes.time))
      try remove(key, at: time)
    }
    return wakes
  }
}

/// The result of reading the header of a tree whose time has come.
enum WakeLook: Sendable {
  case due(schema: Int)
  /// The record has another time, or none.
  case stale
  /// The header can't be read: the next `claim` throws the error.
  case unreadable

  init(_ key: TreeKey, at time: WallTime, in folders: FileFolders) {
    do throws(FileStoreError) {
      let (files, header) = try folders.header(of: key)
      guard files.current == .asleep, let header, let wakes = header.wakes, FileLayout.wakeTime(wakes) == time else {
        self = .stale
        return
      }
      self = .due(schema: header.schema)
    } catch { self = .unreadable }
  }
}
