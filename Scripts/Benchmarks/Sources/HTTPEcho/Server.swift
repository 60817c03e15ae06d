// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import RIBs
import Workloads

typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

func serve(_ connection: Connection, isTree: Bool) async throws {
  if isTree {
    let session = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { SessionRouter() }
    try await answer(connection) { amount in
      try await session.perform { root in
        root.interactor.didCount(amount)
        return root.interactor.total.value
      }
    }
    await session.shutdown()
  } else {
    let session = Total()
    try await answer(connection) { amount in await session.add(amount) }
  }
}

func answer(_ connection: Connection, _ add: (Int) async throws -> Int) async throws {
  try await connection.executeThenClose { incoming, outgoing in
    var amount = 0
    for try await part in incoming {
      switch part {
      case .head: amount = 0
      case .body(let bytes): amount += bytes.readableBytes
      case .end:
        let total = try await add(amount)
        let headers = HTTPHeaders([("content-length", "8")])
        try await outgoing.write(contentsOf: [
          .head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)),
          .body(.byteBuffer(ByteBuffer(integer: total))), .end(nil),
        ])
      }
    }
  }
}

/// The session without a tree.
actor Total {
  private var total = 0

  func add(_ amount: Int) -> Int {
    total += amount
    return total
  }
}
