// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Writes the records of one `save`.
///
/// A crash at any point leaves each record as it was, or as it is after the save, because of the order:
///
/// 1. New files are written beside the old ones, synchronized, and renamed, in parallel.
/// 2. Each folder that was changed is synchronized, once.
/// 3. Of a record that has moved, the old file is removed. Until then the newer of both counts.
/// 4. Each folder that was changed is synchronized again.
struct FileBatch: Sendable {
  struct Job: Sendable {
    let record: TreeRecord
    /// Where the record is; nil if that must be looked up.
    let files: RecordFiles?

    /// The fence that is written; nil if the file is only moved or removed.
    var writtenFence: UInt64? { if case .document = record.content { record.fence } else { nil } }
  }

  typealias Outcome = Result<RecordFiles, FileStoreError>

  /// A record on its way.
  private struct Write: Sendable {
    let key: TreeKey
    var outcome: Outcome
    var changedFolders: [String] = []
    /// The file to remove when the new one is safe.
    var oldPlace: RecordPlace?
  }

  let folders: FileFolders
  let threads: DiskThreads

  /// Writes all records, and returns the outcome of each. An error of one does not keep the others from being written.
  func write(_ jobs: [Job]) async -> [Outcome] {
    var writes = await threads.map(jobs) { [self] in begin($0) }
    writes = await synchronized(writes)
    if writes.contains(where: { $0.oldPlace != nil }) {
      writes = await threads.map(writes) { [self] in removeOldFile($0) }
      writes = await synchronized(writes)
    }
    return writes.map(\.outcome)
  }

  private func begin(_ job: Job) -> Write {
    var write = Write(key: job.record.key, outcome: .success(.none))
    do throws(FileStoreError) {
      let files = if let files = job.files { files } else { try folders.header(of: write.key).files }
      let target = RecordPlace(isAwake: job.record.isAwake)
      switch job.record.content {
      case .document(let document): try replace(files, at: target, with: document, job.record, &write)
      case .unchanged: try move(files, to: target, &write)
      case .removed: try remove(files, &write)
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
    write.outcome = .success(.one(target))
    write.changedFolders = [folder(write.key, target)]
    if files.includes(target.other) { write.oldPlace = target.other }
  }

  private func move(_ files: RecordFiles, to target: RecordPlace, _ write: inout Write) throws(FileStoreError) {
    guard let current = files.current else { return }
    write.outcome = .success(.one(target))
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
    guard let place = write.oldPlace, case .success = write.outcome else { return write }
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
