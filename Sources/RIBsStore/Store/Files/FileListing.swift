// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A record of a `FileStore` as it is on disk, for tools and backups.
public struct FileRecord: Hashable, Sendable {
  /// The tree.
  public let key: TreeKey
  /// Whether the tree was awake when it was last saved.
  public var isAwake: Bool { saved.isAwake }
  /// The fence of the claim that saved it.
  public let fence: UInt64
  /// The record.
  public let saved: SavedRecord
  /// The path of the file.
  public let file: String
}

/// The records in the directory of a `FileStore`, in the order of their keys.
///
/// The names are in memory. Each file is read when the iteration reaches it, on the calling thread. A file that can't be
/// read is an error in the sequence, and the iteration continues. A record that is removed meanwhile is skipped.
public struct FileListing: Sequence, Sendable {
  fileprivate let folders: FileFolders
  /// In order, both without duplicates.
  fileprivate let ids: [(kind: String, ids: [String])]

  public func makeIterator() -> Iterator { Iterator(folders: folders, kinds: ids) }

  /// Reads the files one by one.
  public struct Iterator: IteratorProtocol {
    fileprivate let folders: FileFolders
    fileprivate let kinds: [(kind: String, ids: [String])]
    private var kind = 0
    private var index = 0

    fileprivate init(folders: FileFolders, kinds: [(kind: String, ids: [String])]) {
      self.folders = folders
      self.kinds = kinds
    }

    /// Reads the next record.
    public mutating func next() -> Result<FileRecord, FileStoreError>? {
      while kind < kinds.count {
        let (name, ids) = kinds[kind]
        guard index < ids.count else {
          (kind, index) = (kind + 1, 0)
          continue
        }
        defer { index += 1 }
        do throws(FileStoreError) {
          if let record = try read(TreeKey(kind: name, id: ids[index])) { return .success(record) }
        } catch { return .failure(error) }
      }
      return nil
    }

    private func read(_ key: TreeKey) throws(FileStoreError) -> FileRecord? {
      // A record that moves from one folder to the other may be missed once.
      for _ in 0..<3 {
        let (files, record) = try folders.record(of: key)
        guard let record, let place = files.current else { continue }
        return FileRecord(
          key: key, fence: record.header.fence, saved: record.saved(isAwake: place == .awake),
          file: folders.layout.file(of: key, place))
      }
      return nil
    }
  }
}

extension FileStore {
  /// Lists the records in a directory. It needs no lock, so a process may have the store open meanwhile.
  ///
  /// ```swift
  /// for case .success(let record) in try FileStore.records(in: "/var/lib/orders", of: "order") {
  ///   print(record.key, record.isAwake ? "awake" : "asleep", record.saved.document.count)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - directory: the directory of a store.
  ///   - kind: the kind of the trees; nil for all kinds.
  /// - Throws: the error of the system if the names can't be read, also for a directory that does not exist.
  public static func records(in directory: String, of kind: String? = nil) throws(FileStoreError) -> FileListing {
    let folders = FileFolders(FileLayout(directory: directory), SystemFiles())
    return FileListing(folders: folders, ids: try folders.ids(of: kind))
  }
}
