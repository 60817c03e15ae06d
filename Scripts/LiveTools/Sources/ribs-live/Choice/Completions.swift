// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector

/// The candidates for completing a command line. None if a process does not answer within a second.
enum Completions {
  /// The maximum number of offers.
  private static let most = 500
  /// The options whose next word is their value.
  private static let options: Set<String> = [
    "--directory", "--timeout", "--tree", "--under", "--depth", "--format", "--output", "-o", "--rate", "--count",
    "--match", "--at", "--speed", "--port",
  ]

  /// The names of processes, and their numbers where names are ambiguous; for commands that show recordings, also those
  /// of the folder.
  static func processes(_ words: [String]) -> [String] {
    let showsRecordings = words.dropFirst().first.map { ["dump", "serve"].contains($0) } ?? false
    let files = showsRecordings ? try? FileManager.default.contentsOfDirectory(atPath: LiveTool.folder.path) : nil
    return runningProcesses(words) + (files ?? []).filter { $0.hasSuffix(".ribs") }.sorted()
  }

  private static func runningProcesses(_ words: [String]) -> [String] {
    let all = (try? InspectedProcess.all(in: value(of: "--directory", in: words))) ?? []
    let names = Dictionary(grouping: all, by: \.name)
    return names.sorted { $0.key < $1.key }.flatMap { name, processes in
      processes.count == 1 ? [name] : processes.map { String($0.id) }
    }
  }

  /// The names of trees, and the numbers of those without a name of their own.
  static func trees(_ words: [String]) async -> [String] {
    if let recording = recording(words) { return recording.trees.prefix(most).map(offer) }
    guard let client = client(words), let trees = try? await client.trees() else { return [] }
    return trees.prefix(most).map(offer)
  }

  private static func offer(_ tree: some NamedTree) -> String {
    // Without the root, because shells treat a colon in a word specially.
    tree.name.contains(":") ? String(tree.name.prefix { $0 != ":" }) : String(tree.id)
  }

  /// The recording on the command line, if it can be read.
  private static func recording(_ words: [String]) -> TreeRecording? {
    guard let file = named(words), RecordingFile.isNamed(by: file) else { return nil }
    return try? TreeRecording(contentsOf: file)
  }

  /// The names of the RIBs of the chosen tree, or of the only one.
  static func ribs(_ words: [String]) async -> [String] {
    if let recording = recording(words) {
      var trees = recording.trees
      if let tree = value(of: "--tree", in: words) { trees = TreeName(argument: tree).found(in: trees) }
      guard trees.count == 1, let events = try? recording.events(of: trees[0].id) else { return [] }
      return Array(Set(events.flatMap(\.path)).sorted().prefix(most))
    }
    guard let client = client(words), var trees = try? await client.trees() else { return [] }
    if let tree = value(of: "--tree", in: words) { trees = TreeName(argument: tree).found(in: trees) }
    guard trees.count == 1, let snapshot = try? await client.snapshot(of: trees[0].id) else { return [] }
    return Array(Set(snapshot.nodes.map(\.name)).sorted().prefix(most))
  }

  private static func client(_ words: [String]) -> InspectorClient? {
    let named = self.named(words)
    let all = (try? InspectedProcess.all(in: value(of: "--directory", in: words))) ?? []
    let found = named.map { name in all.filter { $0.name == name || String($0.id) == name } } ?? all
    return found.count == 1 ? InspectorClient(found[0], timeout: 1) : nil
  }

  private static func value(of option: String, in words: [String]) -> String? {
    if let joined = words.last(where: { $0.hasPrefix(option + "=") }) {
      return String(joined.dropFirst(option.count + 1))
    }
    guard let index = words.lastIndex(of: option), index + 1 < words.count else { return nil }
    return words[index + 1].isEmpty ? nil : words[index + 1]
  }

  /// The process on the command line: the first word after the command that is neither an option nor its value.
  private static func named(_ words: [String]) -> String? {
    var rest = words.dropFirst(2)
    while let word = rest.popFirst() {
      if options.contains(word) { _ = rest.popFirst() } else if !word.isEmpty && !word.hasPrefix("-") { return word }
    }
    return nil
  }
}
