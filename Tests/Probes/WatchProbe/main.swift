// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A program whose trees are followed by another process, for `Scripts/check-watching`.
///
///     WatchProbe count <times> [inspected | followed | left | recorded]   attach and detach a child again and again
///     WatchProbe count-requests <rounds> [followed | recorded] requests to 200 trees
///     WatchProbe count-lists <times>                           the list of 10,000 trees
///     WatchProbe count-reads <times>                           a recorded tree at some times
///     WatchProbe memory                                        100 busy trees and 100 clients that don't read
///     WatchProbe requests                                      10,000 trees, and requests to them
///     WatchProbe churn                                         all that a server does, followed, for 80 seconds
///     WatchProbe recording <file>                              a million recorded events
///     WatchProbe client <socket> <count> reading|silent|polling  clients that follow all trees or read
///                                                              their list, until the input ends
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "count":
  guard arguments.count >= 2, let times = Int(arguments[1]) else { fallthrough }
  try count(times, arguments.count > 2 ? arguments[2] : "")
case "count-requests":
  guard arguments.count >= 2, let rounds = Int(arguments[1]) else { fallthrough }
  countRequests(rounds: rounds, arguments.count > 2 ? arguments[2] : "")
case "count-reads":
  guard arguments.count == 2, let times = Int(arguments[1]) else { fallthrough }
  try countReads(times)
case "count-lists":
  guard arguments.count == 2, let times = Int(arguments[1]) else { fallthrough }
  countLists(times)
case "memory": try await watchMemory()
case "requests": exit(try await measureRequests() ? 0 : 1)
case "churn": try await churn()
case "recording":
  guard arguments.count == 2 else { fallthrough }
  exit(try await measureRecording(arguments[1]) ? 0 : 1)
case "client":
  guard arguments.count == 4, let count = Int(arguments[2]) else { fallthrough }
  if arguments[3] == "polling" {
    try await pollTrees(arguments[1])
  } else {
    try follow(arguments[1], count: count, isReading: arguments[3] == "reading")
  }
default:
  print("usage: WatchProbe count <times> [inspected | followed | left] | memory | requests | churn | recording <file>")
  exit(64)
}
