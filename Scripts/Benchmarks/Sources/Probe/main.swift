// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Workloads

// Repeats one operation so that its instructions can be counted: Probe OPERATION COUNT. Runs synchronously on the
// main thread, because valgrind does not support an asynchronous main function.
guard CommandLine.arguments.count == 3, let operation = CountedOperation(rawValue: CommandLine.arguments[1]),
  let count = Int(CommandLine.arguments[2])
else { fatalError("Probe OPERATION COUNT") }
operation.repeat(count)
