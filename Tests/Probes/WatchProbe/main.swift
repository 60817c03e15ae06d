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
let number = arguments.dropFirst().first.flatMap { Int($0) }
switch (arguments.first, arguments.count, number) {
case ("count", 2..., let times?): try count(times, arguments.count > 2 ? arguments[2] : "")
case ("count-requests", 2..., let rounds?): countRequests(rounds: rounds, arguments.count > 2 ? arguments[2] : "")
case ("count-reads", 2, let times?): try countReads(times)
case ("count-lists", 2, let times?): countLists(times)
case ("memory", _, _): try await watchMemory()
case ("requests", _, _): exit(try await measureRequests() ? 0 : 1)
case ("churn", _, _): try await churn()
case ("recording", 2, _): exit(try await measureRecording(arguments[1]) ? 0 : 1)
case ("client", 4, _) where arguments[3] == "polling": try await pollTrees(arguments[1])
case ("client", 4, _):
  guard let count = Int(arguments[2]) else { fallthrough }
  try follow(arguments[1], count: count, isReading: arguments[3] == "reading")
default:
  print("usage: WatchProbe count <times> [inspected | followed | left] | memory | requests | churn | recording <file>")
  exit(64)
}
