// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Trees that sleep until times over ten seconds, in files, while their process is killed.
///
///     WakesProbe check <directory> <trees> <kills> [forgets]   exits with 0 if each tree rang in time, and none early
///     WakesProbe save <directory> <trees> <first time>         saves the trees; their times are over ten seconds
///     WakesProbe serve <directory> [forgets]                   wakes them; prints each ring
///
/// Each tree rings twice, ten seconds apart: the second time is saved by the directory when the tree falls asleep again. With
/// `forgets`, one save leaves the time out, so that the check must fail.
import Foundation

signal(SIGPIPE, SIG_IGN)
let forgets = CommandLine.arguments.last == "forgets"
let arguments = Array(CommandLine.arguments.dropFirst().dropLast(forgets ? 1 : 0))
do {
  switch (arguments.first, arguments.count) {
  case ("save", 4):
    guard let count = Int(arguments[2]), let first = Int64(arguments[3]) else { exit(2) }
    try await Alarms.save(count, in: arguments[1], from: first)
  case ("serve", 2): try await Alarms.serve(arguments[1], forgets: forgets)
  case ("check", 4):
    guard let count = Int(arguments[2]), let kills = Int(arguments[3]) else { exit(2) }
    exit(try Check(directory: arguments[1], count: count, kills: kills, forgets: forgets).run() ? 0 : 1)
  default:
    print(
      "WakesProbe check <directory> <trees> <kills> [forgets] | save <directory> <trees> <first time> | serve <directory>"
    )
    exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
