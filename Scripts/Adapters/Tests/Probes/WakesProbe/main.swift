// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Trees that sleep until times over ten seconds, while their process is killed, and their PostgreSQL server is away. See
/// `Scripts/check-wakes`. STORE is a folder for files, the file of an SQLite database (`….sqlite`), or postgres://….
///
///     WakesProbe check STORE RINGS TREES KILLS [forgets]   exits with 0 if each tree rang in time, and none early
///     WakesProbe rest STORE TREES                          prints the start and the memory of a process while all sleep
///     WakesProbe save STORE TREES TIME                     saves the trees; the first rings at a time
///     WakesProbe serve STORE [forgets]                     wakes them; prints each ring
///
/// Each tree rings twice, ten seconds apart: the second time is saved by the directory when the tree falls asleep again. With
/// `forgets`, one save leaves the time out, so that the check must fail.
import Foundation

signal(SIGPIPE, SIG_IGN)
let forgets = CommandLine.arguments.last == "forgets"
let arguments = Array(CommandLine.arguments.dropFirst().dropLast(forgets ? 1 : 0))
let location = StoreLocation(text: arguments.count > 1 ? arguments[1] : "")
do {
  switch (arguments.first, arguments.count) {
  case ("save", 4):
    guard let count = Int(arguments[2]), let first = Int64(arguments[3]) else { exit(64) }
    try await Alarms.save(count, in: location, from: first)
  case ("serve", 2): try await Alarms.serve(location, forgets: forgets)
  case ("check", 5):
    guard let count = Int(arguments[3]), let kills = Int(arguments[4]) else { exit(64) }
    let check = Check(location: location, rings: arguments[2], count: count, kills: kills, forgets: forgets)
    exit(try check.run() ? 0 : 1)
  case ("rest", 3):
    guard let count = Int(arguments[2]) else { exit(64) }
    try Rest(location: location, count: count).run()
  default:
    print("WakesProbe check STORE RINGS TREES KILLS [forgets] | rest STORE TREES | save STORE TREES TIME | serve STORE")
    exit(64)
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
