// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// A command for trees of running processes, recordings or saved trees. The program `ribs-live` of Scripts/LiveTools has
/// it, and `Scripts/ribs` starts that program without this one.
protocol LiveCommand: ParsableCommand {
  var arguments: [String] { get }
}

extension LiveCommand {
  fileprivate static func passedOn(_ name: String, _ abstract: String) -> CommandConfiguration {
    CommandConfiguration(commandName: name, abstract: abstract)
  }

  /// Becomes the program `ribs-live` beside this one, or in the search path.
  func run() throws {
    let name = Self.configuration.commandName ?? ""
    let beside = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "ribs-live").path
    for program in [beside, "ribs-live"].compactMap({ $0 }) {
      let words = [program, name] + arguments
      let pointers = words.map { strdup($0) }
      execvp(program, pointers + [nil])
      for pointer in pointers { free(pointer) }
    }
    throw Failure.missing(
      "'ribs \(name)' needs the program ribs-live, which is not beside this one; run 'Scripts/ribs \(name)', "
        + "which builds it")
  }
}

/// `ribs ps`.
struct PsCommand: LiveCommand {
  static let configuration = passedOn("ps", "List the running processes that expose their trees.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs dump`.
struct DumpCommand: LiveCommand {
  static let configuration = passedOn("dump", "Print the trees of a running process, or of a recording.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs watch`.
struct WatchCommand: LiveCommand {
  static let configuration = passedOn("watch", "Show a tree of a running process live.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs events`.
struct EventsCommand: LiveCommand {
  static let configuration = passedOn("events", "Print the events in the trees of a running process.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs record`.
struct RecordCommand: LiveCommand {
  static let configuration = passedOn("record", "Record the trees of a running process.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs replay`.
struct ReplayCommand: LiveCommand {
  static let configuration = passedOn("replay", "Show a recorded tree as it was.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs diff`.
struct DiffCommand: LiveCommand {
  static let configuration = passedOn("diff", "Compare a recorded tree at two times.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs serve`.
struct ServeCommand: LiveCommand {
  static let configuration = passedOn("serve", "Show running processes live on a page in the browser.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// `ribs saved`.
struct SavedCommand: LiveCommand {
  static let configuration = passedOn("saved", "Print a saved tree.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}
