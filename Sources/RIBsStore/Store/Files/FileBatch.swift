// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Writes the records of one `save`.
///
/// A crash at any point leaves each record as it was, or as it is after the save, because of the order:
///
/// 0. The files of new wake times are made, and their folders synchronized.
/// 1. New files are written beside the old ones, synchronized, and renamed, in parallel.
/// 2. Each folder that was changed is synchronized, once.
/// 3. Of a record that has moved, the old file is removed. Until then the newer of both counts.
/// 4. Each folder that was changed is synchronized again. The files of old wake times are removed, after which a crash may
///    bring them back.
struct FileBatch: Sendable {
  struct Job: Sendable {
    let record: TreeRecord
    /// What is on the disk; nil if that must be looked up.
    let found: Written?

    /// The fence that is written; nil if the file is only moved or removed.
    var writtenFence: UInt64? { if case .document = record.content { record.fence } else { nil } }
  }

  /// Where a record is, and what its header says about the wake time.
  struct Written: Sendable {
    var files = RecordFiles.none
    var wakes: WallTime?

    /// The time for which there is a file, because the tree sleeps.
    var fileTime: WallTime? { files.current == .asleep ? wakes.map(FileLayout.wakeTime) : nil }
  }

  typealias Outcome = Result<Written, FileStoreError>

  /// A record on its way.
  private struct Write: Sendable {
    let job: Job
    var key: TreeKey { job.record.key }
    var outcome = Outcome.success(Written())
    var changedFolders: [String] = []
    /// What was on the disk before; nil if it was not looked up yet.
    var found: Written?
    /// The file to remove when the new one is safe.
    var oldPlace: RecordPlace?
    /// The wake time whose file is to be removed when the new record is safe.
    var oldWake: WallTime?
  }

  let folders: FileFolders
  let threads: DiskThreads

  /// Writes all records, and returns the outcome of each. An error of one does not keep the others from being written.
  func write(_ jobs: [Job]) async -> [Outcome] {
    var writes = jobs.map { Write(job: $0, found: $0.found) }
    if jobs.contains(where: { $0.record.fileTime != nil }) {
      writes = await threads.map(writes) { [self] in addWake($0) }
      writes = await synchronized(writes)
    }
    writes = await threads.map(writes) { [self] in begin($0) }
    writes = await synchronized(writes)
    if writes.contains(where: { $0.oldPlace != nil || $0.oldWake != nil }) {
      writes = await threads.map(writes) { [self] in removeOldFile($0) }
      writes = await synchronized(writes)
    }
    return writes.map(\.outcome)
  }

  /// Makes the file of a new wake time.
  private func addWake(_ write: Write) -> Write {
    guard let time = write.job.record.fileTime else { return write }
    var write = write
    do throws(FileStoreError) {
      let found = try lookUp(&write)
      if case .unchanged = write.job.record.content, found.files.current == nil { return write }
      if found.fileTime != time { write.changedFolders = [try FileWakes(folders: folders).add(write.key, at: time)] }
    } catch { write.outcome = .failure(error) }
    return write
  }

  private func lookUp(_ write: inout Write) throws(FileStoreError) -> Written {
    if let found = write.found { return found }
    let (files, header) = try folders.header(of: write.key)
    let found = Written(files: files, wakes: header?.wakes)
    write.found = found
    return found
  }

  private func begin(_ write: Write) -> Write {
    guard case .success = write.outcome else { return write }
    var write = write
    let record = write.job.record
    do throws(FileStoreError) {
      let found = try lookUp(&write)
      let target = RecordPlace(isAwake: record.isAwake)
      switch record.content {
      case .document(let document): try replace(found.files, at: target, with: document, record, &write)
      case .unchanged: try move(found, to: target, waking: record.wakes, &write)
      case .removed: try remove(found.files, &write)
      }
      if let time = found.fileTime, case .success(let written) = write.outcome, written.fileTime != time {
        write.oldWake = time
      }
    } catch { write.outcome = .failure(error) }
    return write
  }

  private func replace(
    _ files: RecordFiles, at target: RecordPlace, with document: [UInt8], _ record: TreeRecord, _ write: inout Write
  ) throws(FileStoreError) {
    try folders.makeFolder(of: write.key.kind, target)
    try folders.replace(
      folders.layout.file(of: write.key, target), with: RecordFile.bytes(of: document, in: record))
    write.outcome = .success(Written(files: .one(target), wakes: record.wakes))
    write.changedFolders = [folder(write.key, target)]
    if files.includes(target.other) { write.oldPlace = target.other }
  }

  private func move(
    _ found: Written, to target: RecordPlace, waking time: WallTime?, _ write: inout Write
  ) throws(FileStoreError) {
    let files = found.files
    guard let current = files.current else { return }
    write.outcome = .success(Written(files: .one(target), wakes: time))
    if time != found.wakes {
      // The time is in the header. The version stays the same: if a crash leaves both files, the one of the tree that is
      // awake counts, which is right in both directions.
      let record: RecordFile?
      do throws(FileStoreError) { record = try folders.record(of: write.key).current } catch {
        // Damaged since the claim: it is moved as it is, and the next claim throws the error.
        guard case .damaged = error else { throw error }
        record = nil
      }
      if let record {
        try folders.makeFolder(of: write.key.kind, target)
        try folders.replace(folders.layout.file(of: write.key, target), with: record.bytes(waking: time))
        write.changedFolders = [folder(write.key, target)]
        if files.includes(target.other) { write.oldPlace = target.other }
        return
      }
    }
    if current != target {
      // If there was a file at the target, it is the older one.
      try folders.makeFolder(of: write.key.kind, target)
      try folders.system.rename(
        folders.layout.file(of: write.key, current), to: folders.layout.file(of: write.key, target))
      write.changedFolders = [folder(write.key, target), folder(write.key, current)]
    } else if files.includes(target.other) {
      write.oldPlace = target.other
    }
  }

  private func remove(_ files: RecordFiles, _ write: inout Write) throws(FileStoreError) {
    guard let current = files.current else { return }
    if files.includes(current.other) {
      // The older file must not be the only one after a crash.
      try folders.system.remove(folders.layout.file(of: write.key, current.other))
      try folders.system.synchronizeDirectory(folder(write.key, current.other))
    }
    try folders.system.remove(folders.layout.file(of: write.key, current))
    write.changedFolders = [folder(write.key, current)]
  }

  private func removeOldFile(_ write: Write) -> Write {
    guard case .success = write.outcome else { return write }
    // A file that stays is removed when its time has come.
    if let time = write.oldWake { try? FileWakes(folders: folders).remove(write.key, at: time) }
    guard let place = write.oldPlace else { return write }
    var write = write
    do throws(FileStoreError) {
      try folders.system.remove(folders.layout.file(of: write.key, place))
      write.changedFolders = [folder(write.key, place)]
    } catch { write.outcome = .failure(error) }
    return write
  }

  /// Synchronizes each folder once. An error is one of each record that has changed the folder.
  private func synchronized(_ writes: [Write]) async -> [Write] {
    let changed = Set(writes.flatMap(\.changedFolders)).sorted()
    let failures = await threads.map(changed) { [folders] folder -> FileStoreError? in
      do throws(FileStoreError) {
        try folders.system.synchronizeDirectory(folder)
        return nil
      } catch { return error }
    }
    let failed = Dictionary(uniqueKeysWithValues: zip(changed, failures)).compactMapValues { $0 }
    return writes.map { write in
      var write = write
      if case .success = write.outcome, let error = write.changedFolders.lazy.compactMap({ failed[$0] }).first {
        write.outcome = .failure(error)
      }
      write.changedFolders = []
      return write
    }
  }

  private func folder(_ key: TreeKey, _ place: RecordPlace) -> String { folders.layout.folder(of: key.kind, place) }
}

extension TreeRecord {
  /// The wake time for which there must be a file before the record is written; nil if the tree does not sleep until a time.
  fileprivate var fileTime: WallTime? {
    if isAwake { return nil }
    if case .removed = content { return nil }
    return wakes.map(FileLayout.wakeTime)
  }
}
