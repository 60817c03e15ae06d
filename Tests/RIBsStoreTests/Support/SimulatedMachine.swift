// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore
import TestSupport

/// A file system in memory that loses what was not synchronized when its machine crashes.
///
/// Its calls are counted. Each can be made to fail, or to be the last one before the process dies.
final class SimulatedMachine: FileSystem {
  /// What happens to a call.
  enum Fault: Sendable {
    /// It fails without an effect, but for a write, which writes a half.
    case fails(Int32)
    /// It has its effect, and is the last one of the process. A write writes a half.
    case isLast
  }

  /// What a crash of the machine leaves of what was not synchronized.
  enum Remainder: Hashable, Sendable {
    case all, nothing
    /// A part, different for each seed.
    case some(seed: UInt64)
  }

  fileprivate struct File {
    var bytes: [UInt8] = []
    /// The synchronized bytes.
    var durable: [UInt8] = []
    var isDirectory = false
  }

  /// A change of names that is not synchronized.
  fileprivate enum Change {
    case link(String, Int)
    /// File systems with a journal keep or lose it as a whole.
    case rename(String, to: String, Int)
    case unlink(String)

    var paths: [String] {
      switch self {
      case .link(let path, _), .unlink(let path): [path]
      case .rename(let path, let newPath, _): [path, newPath]
      }
    }
  }

  fileprivate struct State {
    var files: [Int: File] = [0: File(isDirectory: true)]
    var names: [String: Int] = [".": 0]
    var durableNames: [String: Int] = [".": 0]
    var changes: [Change] = []
    var open: [Int32: Int] = [:]
    var locks: [Int: Int32] = [:]
    var lastNumber = 0
    var calls: [String] = []
    var faults: [Int: Fault] = [:]
    var isDead = false
  }

  private let state = Locked(State())

  /// The calls since the last `plan`, in order.
  var calls: [String] { state.withLock { $0.calls } }

  /// Counts calls from one, and plans faults by their numbers.
  func plan(_ faults: [Int: Fault] = [:]) {
    state.withLock { state in
      state.faults = faults
      state.calls = []
    }
  }

  /// Ends the process. The machine continues.
  func killProcess() {
    state.withLock { state in
      (state.isDead, state.faults, state.calls, state.locks, state.open) = (false, [:], [], [:], [:])
    }
  }

  /// Crashes the machine, and starts it again.
  func crash(leaving remainder: Remainder) {
    killProcess()
    state.withLock { state in
      var random = if case .some(let seed) = remainder { SplitMix(seed) } else { SplitMix(0) }
      func isKept() -> Bool {
        switch remainder {
        case .all: true
        case .nothing: false
        case .some: random.below(2) == 0
        }
      }
      var lost: Set<String> = []
      for change in state.changes {
        // Later changes of a name need the earlier ones.
        if lost.isDisjoint(with: change.paths), isKept() {
          State.apply(change, to: &state.durableNames)
        } else {
          lost.formUnion(change.paths)
        }
      }
      state.durableNames = state.durableNames.filter { state.durableNames[State.parent(of: $0.key)] != nil }
      state.names = state.durableNames
      state.changes = []
      for (number, file) in state.files where file.bytes != file.durable {
        // Files are only written at their end.
        let length = isKept() ? file.bytes.count : (file.durable.count + file.bytes.count) / 2
        let bytes = remainder == .nothing ? file.durable : Array(file.bytes.prefix(length))
        state.files[number]?.bytes = bytes
        state.files[number]?.durable = bytes
      }
    }
  }

  /// The paths of all files, sorted.
  var paths: [String] {
    state.withLock { state in
      state.names.filter { $0.value != 0 && state.files[$0.value]?.isDirectory == false }.keys.sorted()
    }
  }

  func bytes(of path: String) -> [UInt8]? {
    state.withLock { state in state.names[path].flatMap { state.files[$0]?.bytes } }
  }

  func text(of path: String) -> String? { bytes(of: path).map { String(decoding: $0, as: UTF8.self) } }

  /// Writes a file of another program, and makes its directories.
  func put(_ bytes: [UInt8], at path: String) {
    state.withLock { state in
      state.put(File(bytes: bytes, durable: bytes), at: path)
      var directory = State.parent(of: path)
      while state.names[directory] == nil {
        state.put(File(isDirectory: true), at: directory)
        directory = State.parent(of: directory)
      }
    }
  }

  func put(_ text: String, at path: String) { put(Array(text.utf8), at: path) }

  // MARK: Calls

  private func call<Value: Sendable>(
    _ name: String, _ path: String,
    _ body: (inout State, _ isHalf: Bool) throws(FileStoreError) -> sending Value
  ) throws(FileStoreError) -> Value {
    let result: Result<Value, FileStoreError> = state.withLock { state in
      guard !state.isDead else { return .failure(.system(call: name, path: path, code: EIO)) }
      state.calls.append(name + " " + path)
      let fault = state.faults[state.calls.count]
      do throws(FileStoreError) {
        switch fault {
        case nil: return .success(try body(&state, false))
        case .fails(let code):
          if name == "write" { _ = try body(&state, true) }
          return .failure(.system(call: name, path: path, code: code))
        case .isLast:
          state.isDead = true
          return .success(try body(&state, true))
        }
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  func makeDirectory(_ path: String) throws(FileStoreError) -> Bool {
    try call("mkdir", path) { state, _ throws(FileStoreError) in
      guard state.names[path] == nil else { return false }
      try state.checkParent(of: path, "mkdir")
      state.link(path, File(isDirectory: true))
      return true
    }
  }

  func names(in directory: String) throws(FileStoreError) -> [String]? {
    try call("names", directory) { state, _ in
      guard let number = state.names[directory], state.files[number]?.isDirectory == true else { return nil }
      return state.names.keys.filter {
        $0.hasPrefix(directory + "/") && !$0.dropFirst(directory.count + 1).contains("/")
      }
      .map { String($0.dropFirst(directory.count + 1)) }
    }
  }

  func read(_ path: String, atMost limit: Int) throws(FileStoreError) -> [UInt8]? {
    try call("read", path) { state, _ in
      state.names[path].flatMap { state.files[$0] }.map { Array($0.bytes.prefix(limit)) }
    }
  }

  func create(_ path: String) throws(FileStoreError) -> OpenFile {
    try call("create", path) { state, _ throws(FileStoreError) in
      guard state.names[path] == nil else { throw .system(call: "create", path: path, code: EEXIST) }
      try state.checkParent(of: path, "create")
      return state.open(state.link(path, File()), path)
    }
  }

  func write(_ bytes: [UInt8], to file: OpenFile) throws(FileStoreError) {
    try call("write", file.path) { state, isHalf in
      guard let number = state.open[file.descriptor] else { return }
      state.files[number]?.bytes += isHalf ? Array(bytes.prefix(bytes.count / 2)) : bytes
    }
  }

  func synchronize(_ file: OpenFile) throws(FileStoreError) {
    try call("fsync", file.path) { state, _ in
      guard let number = state.open[file.descriptor], let bytes = state.files[number]?.bytes else { return }
      state.files[number]?.durable = bytes
    }
  }

  func close(_ file: OpenFile) {
    state.withLock { state in
      if let number = state.open.removeValue(forKey: file.descriptor), state.locks[number] == file.descriptor {
        state.locks[number] = nil
      }
    }
  }

  func rename(_ path: String, to newPath: String) throws(FileStoreError) {
    try call("rename", newPath) { state, _ throws(FileStoreError) in
      guard let number = state.names[path] else { throw .system(call: "rename", path: newPath, code: ENOENT) }
      try state.checkParent(of: newPath, "rename")
      state.change(.rename(path, to: newPath, number))
    }
  }

  func remove(_ path: String) throws(FileStoreError) {
    try call("unlink", path) { state, _ in if state.names[path] != nil { state.change(.unlink(path)) } }
  }

  func removeDirectory(_ path: String) throws(FileStoreError) {
    try call("rmdir", path) { state, _ throws(FileStoreError) in
      guard state.names[path] != nil else { return }
      guard !state.names.keys.contains(where: { $0.hasPrefix(path + "/") }) else {
        throw .system(call: "rmdir", path: path, code: ENOTEMPTY)
      }
      state.change(.unlink(path))
    }
  }

  func synchronizeDirectory(_ path: String) throws(FileStoreError) {
    try call("fsync directory", path) { state, _ throws(FileStoreError) in
      guard state.names[path] != nil else { throw .system(call: "open", path: path, code: ENOENT) }
      let isOfDirectory = { (change: Change) in change.paths.contains { State.parent(of: $0) == path } }
      for change in state.changes where isOfDirectory(change) { State.apply(change, to: &state.durableNames) }
      state.changes.removeAll(where: isOfDirectory)
    }
  }

  func lock(_ path: String) throws(FileStoreError) -> OpenFile? {
    try call("lock", path) { state, _ throws(FileStoreError) in
      try state.checkParent(of: path, "lock")
      let number = state.names[path] ?? state.link(path, File())
      guard state.locks[number] == nil else { return nil }
      let file = state.open(number, path)
      state.locks[number] = file.descriptor
      return file
    }
  }

  func unlock(_ file: OpenFile) { close(file) }

  func isInPlace(_ file: OpenFile) -> Bool {
    (try? call("stat", file.path) { state, _ in
      state.names[file.path] != nil && state.names[file.path] == state.open[file.descriptor]
    }) ?? true
  }
}

extension SimulatedMachine.State {
  fileprivate static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  fileprivate func checkParent(of path: String, _ call: String) throws(FileStoreError) {
    guard names[Self.parent(of: path)] != nil else { throw .system(call: call, path: path, code: ENOENT) }
  }

  fileprivate mutating func newFile(_ file: SimulatedMachine.File) -> Int {
    lastNumber += 1
    files[lastNumber] = file
    return lastNumber
  }

  /// Adds a file that is durable.
  fileprivate mutating func put(_ file: SimulatedMachine.File, at path: String) {
    names[path] = newFile(file)
    durableNames[path] = names[path]
  }

  @discardableResult
  fileprivate mutating func link(_ path: String, _ file: SimulatedMachine.File) -> Int {
    let number = newFile(file)
    change(.link(path, number))
    return number
  }

  fileprivate mutating func open(_ number: Int, _ path: String) -> OpenFile {
    lastNumber += 1
    open[Int32(lastNumber)] = number
    return OpenFile(descriptor: Int32(lastNumber), path: path)
  }

  fileprivate mutating func change(_ change: SimulatedMachine.Change) {
    changes.append(change)
    Self.apply(change, to: &names)
  }

  fileprivate static func apply(_ change: SimulatedMachine.Change, to names: inout [String: Int]) {
    switch change {
    case .link(let path, let number): names[path] = number
    case .unlink(let path): names[path] = nil
    case .rename(let path, let newPath, let number):
      names[path] = nil
      names[newPath] = number
    }
  }
}
