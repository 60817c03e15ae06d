// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
public import RIBsStore

/// The store that a user has chosen on the command line: a directory, a database, or none.
public struct StoreChoice: Sendable {
  private let text: String?

  /// - Parameter text: `none`, a URL that begins with `postgres`, or the path of a directory; nil for the directory of
  ///   the program's state.
  public init(_ text: String?) { self.text = text }

  /// Whether several processes can use the store.
  public var isShared: Bool { text.map(StoreChoice.isDatabase) ?? false }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - program: the name of the program.
  ///   - lease: the lease of the process. Calls of a shared store are given up before it ends.
  ///   - database: opens a database by its URL, with the time for a call; nil if this build has none.
  /// - Returns: the store, and where it is in words, without secrets.
  public func open(
    for program: String, lease: Duration, database: ((String, Duration) async throws -> any TreeStore)?
  ) async throws -> (store: (any TreeStore)?, place: String) {
    switch text {
    case "none": return (nil, "in memory only")
    case let url? where StoreChoice.isDatabase(url):
      guard let database else {
        throw ValidationError(
          "This build has no PostgreSQL. Install libpq (apt-get install libpq-dev), and start again.")
      }
      do {
        return (try await database(url, min(.seconds(4), lease * 2 / 5)), "in PostgreSQL")
      } catch {
        throw ValidationError("The database can't be used: \(error)")
      }
    case let directory:
      let directory = directory ?? StoreChoice.standardDirectory(program)
      do {
        return (try FileStore(directory: directory), "in \(directory)")
      } catch {
        throw ValidationError("The store can't be opened: \(error)\nUse another one with --store DIRECTORY.")
      }
    }
  }

  private static func isDatabase(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// In the user's directory for the state of programs.
  private static func standardDirectory(_ program: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? "\(environment["HOME"] ?? ".")/.local/state") + "/\(program)"
  }
}
