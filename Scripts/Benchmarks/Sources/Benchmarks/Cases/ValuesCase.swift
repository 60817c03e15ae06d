// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

/// Values that a reader outside receives from a tree, compared with an actor that writes them to an `AsyncStream`.
func valuesCase() async throws -> [Measurement] {
  let (runs, count) = (300, 1_000)
  let plain = PlainSession()
  await plain.begin()
  let host = await openSession()
  var written = await plain.totals(.unbounded).makeAsyncIterator()
  var delivered = host.values(bufferingPolicy: .unbounded) { $0.interactor.total }.makeAsyncIterator()
  keep(await written.next())
  keep(await delivered.next())
  let batch = try await Comparison(runs: runs, operations: count) {
    await plain.write(count)
    for _ in 0..<count { keep(await written.next()) }
  } _: {
    try await host.perform { root in for value in 1...count { root.interactor.total.accept(value) } }
    for _ in 0..<count { keep(await delivered.next()) }
  }
  let single = try await Comparison(runs: runs, operations: count) {
    for _ in 0..<count {
      await plain.write(1)
      keep(await written.next())
    }
  } _: {
    for value in 0..<count {
      try await host.perform { $0.interactor.total.accept(value) }
      keep(await delivered.next())
    }
  }
  await plain.end()
  await host.shutdown()
  return [
    Measurement("a value out of a tree, among \(count)", batch, .atMost(2)),
    Measurement("a call and its value out of a tree", single, .atMost(2)),
  ]
}
