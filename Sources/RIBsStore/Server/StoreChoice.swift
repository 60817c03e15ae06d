// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// The store that a user has chosen on the command line: a directory, a database of PostgreSQL or SQLite, or none.
///
/// ```swift
/// let (store, place) = try await StoreChoice("none").open(for: "orders", lease: .seconds(10), database: nil)
/// print("Orders are kept \(place).", store == nil)
/// ```
public struct StoreChoice: Sendable {
  /// Opens a database by its URL or its path, with the time for a call.
  public typealias Opener = @Sendable (String, Duration) async throws -> any TreeStore

  /// The store can't be opened, with what to do.
  public struct Failure: Error, CustomStringConvertible {
    /// What happened, without secrets.
    public let description: String
  }

  private let text: String?

  /// Creates a choice.
  ///
  /// - Parameter text: `none`, a URL that begins with `postgres`, `sqlite:` and a path, or the path of a directory; nil for
  ///   the directory of the program's state.
  public init(_ text: String?) { self.text = text }

  /// Whether several processes can use the store, so that each needs an address. Those of an SQLite database may have one.
  public var isShared: Bool { text.map(StoreChoice.isDatabase) ?? false }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - program: the name of the program.
  ///   - lease: the lease of the process. Calls of a shared store are given up before it ends.
  ///   - database: opens a PostgreSQL database by its URL; nil if this build has none.
  ///   - sqlite: opens an SQLite database by its path; nil if this build has none.
  /// - Returns: the store, and where it is in words, without secrets.
  /// - Throws: a `Failure`.
  public func open(
    for program: String, lease: Duration, database: Opener?, sqlite: Opener? = nil
  ) async throws -> (store: (any TreeStore)?, place: String) {
    switch text {
    case "none": return (nil, "in memory only")
    case let url? where StoreChoice.isDatabase(url):
      return try await (
        open(url, database, lease, "PostgreSQL", needs: "libpq (apt-get install libpq-dev)"), "in PostgreSQL"
      )
    case let text? where text.hasPrefix("sqlite:"):
      let path = String(text.dropFirst("sqlite:".count))
      return try await (
        open(path, sqlite, lease, "SQLite", needs: "its library (apt-get install libsqlite3-dev)"), "in \(path)"
      )
    case let directory:
      let directory = directory ?? StoreChoice.standardDirectory(program)
      do {
        return (try FileStore(directory: directory), "in \(directory)")
      } catch {
        throw Failure(description: "The store can't be opened: \(error)\nUse another one with --store DIRECTORY.")
      }
    }
  }

  private func open(
    _ place: String, _ open: Opener?, _ lease: Duration, _ name: String, needs library: String
  ) async throws -> any TreeStore {
    guard let open else {
      throw Failure(description: "This build has no \(name). Install \(library), and start again.")
    }
    do {
      return try await open(place, min(.seconds(4), lease.boundedTimeout / 5 * 2))
    } catch {
      throw Failure(description: "The database can't be used: \(error)")
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
