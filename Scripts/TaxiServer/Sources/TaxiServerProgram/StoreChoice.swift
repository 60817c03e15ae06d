import ArgumentParser
import Foundation
import RIBsStore

#if PostgreSQL
  import PostgreSQLStore
#endif

/// The store that the user has chosen.
struct StoreChoice {
  private let text: String?

  init(_ text: String?) { self.text = text }

  /// Opens the store.
  ///
  /// - Returns: the store, and where it is in words, without secrets.
  func open() async throws -> (store: (any TreeStore)?, place: String) {
    switch text {
    case "none": return (nil, "in memory only")
    case let url? where url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"):
      #if PostgreSQL
        do {
          return (try await PostgreSQLStore(url), "in PostgreSQL")
        } catch {
          throw ValidationError("The database can't be used: \(error)")
        }
      #else
        throw ValidationError(
          "This build has no PostgreSQL. Install libpq (apt-get install libpq-dev), and start again.")
      #endif
    case let directory:
      let directory = directory ?? StoreChoice.standardDirectory
      do {
        return (try FileStore(directory: directory), "in \(directory)")
      } catch {
        throw ValidationError("The store can't be opened: \(error)\nUse another one with --store DIRECTORY.")
      }
    }
  }

  /// In the user's directory for the state of programs.
  private static var standardDirectory: String {
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? "\(environment["HOME"] ?? ".")/.local/state") + "/ribs-taxi-server"
  }
}
