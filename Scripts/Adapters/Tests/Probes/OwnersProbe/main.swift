// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Trees with lists of numbers in several server processes over one database, which are killed, stopped and cut off while
/// clients append and read. See `Scripts/check-owners`.
///
///     OwnersProbe check [--minutes N] [--lease SECONDS] [--trees N] [--without-fence] [--sqlite FILE]
///                        runs all of it, and exits with 0 if nothing was lost, repeated or out of date; with 3 if
///                        something was, and with 1 if the check could not be made, or something took too long
///     OwnersProbe cluster [OPTIONS]
///                        the same over the cluster of Scripts/with-patroni; see Scripts/check-failover
///     OwnersProbe faults | repairs
///                        prints the names that these options take
///     OwnersProbe serve STORE PORT LEASE
///                        a server at a port of the loopback address, over postgres://… or the file of an SQLite
///                        database, with a lease in seconds; ends with its input
///
/// With `--without-fence`, or `--without` and the name of a repair, the repair is taken out of the SQL on its way to the
/// server, so that the check must fail.
import Foundation

signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch arguments.first {
  case "serve" where arguments.count == 4:
    guard let port = UInt16(arguments[2]), let lease = Double(arguments[3]) else { exit(64) }
    try await NumbersServer.serve(store: arguments[1], port: port, lease: .seconds(lease))
  case "check":
    guard let plan = Plan(arguments.dropFirst()) else { exit(64) }
    let check = try Check(plan)
    exit(try await inThread { try check.run() }.rawValue)
  case "cluster":
    guard let plan = ClusterPlan(arguments.dropFirst()) else { exit(64) }
    let check = try ClusterCheck(plan)
    exit(try await inThread { try check.run() }.rawValue)
  case "faults": for fault in ClusterFault.allCases { report(fault.rawValue) }
  case "repairs": for repair in Repair.allCases { report(repair.rawValue) }
  default:
    report("OwnersProbe check [OPTIONS] | cluster [OPTIONS] | serve STORE PORT LEASE")
    exit(64)
  }
} catch {
  writeLine("\(error)", to: STDERR_FILENO)
  exit(1)
}

/// Writes a line at once, also to a file.
func report(_ line: String) { writeLine(line, to: STDOUT_FILENO) }

/// Runs code that blocks in a thread of its own.
func inThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
