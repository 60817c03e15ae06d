// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
@testable import RIBsInspector
import TestSupport
import Testing

@Suite("The inspector of a tree that does not answer", .tearsDown)
struct BusyTreeInspectionTests {
  @Test("says what the tree runs, in the list of trees and in place of a snapshot")
  func busy() async throws {
    let folder = try TemporaryFolder()
    let inspector = try Inspector.start(false, false, folder.path, .unhurried)
    let client = InspectorClient(socketPath: inspector.socketPath, timeout: 60)
    let hurried = InspectorClient(socketPath: inspector.socketPath, timeout: 1)
    let watchdog = TurnWatchdog(limit: .seconds(60), endsProcessAfter: nil, hasThread: false, endProcess: {}, nil)
    let configuration = TreeConfiguration(name: "order-17", watchdog: watchdog, inspector: inspector)
    let host = await TreeHost(configuration: configuration) { RootRouter() }
    let (blockade, line) = (DispatchSemaphore(value: 0), #line + 2)
    defer { blockade.signal() }
    let call = await host.block(until: blockade)
    watchdog.check(after: .zero)
    watchdog.check(after: .milliseconds(999))
    // Every tree that works is busy for a moment.
    #expect(try await client.trees().map(\.busy) == [nil])
    watchdog.check(after: .milliseconds(1))
    let text = "order-17:Root runs perform (BusyTreeInspectionTests.swift:\(line)), for 1.0 seconds at least"
    #expect(try await client.trees().map(\.busy) == [text])
    let error = await #expect(throws: InspectorError.self) { try await hurried.snapshot(of: 1) }
    #expect((error?.kind, error?.description) == (.noAnswer, "Tree 1 does not answer. \(text)."))
    blockade.signal()
    try await call.value
    #expect(try await client.snapshot(of: 1).nodes.count == 1)
    watchdog.check(after: .seconds(1))
    #expect(try await client.trees().map(\.busy) == [nil])
    await host.shutdown()
  }

  @Test("writes the other trees on a signal, and says which one does not answer", .onOwnThread)
  func dump() async throws {
    let inspected = RegistryInspector(registry: TreeRegistry(recordsAll: false, wakeReader: {}))
    let (busy, other) = (await TreeHost.inspected(by: inspected), await TreeHost.inspected(by: inspected))
    let blockade = DispatchSemaphore(value: 0)
    defer { blockade.signal() }
    let call = await busy.block(until: blockade)
    var texts: [String]
    repeat {
      texts = []
      InspectorServer.dump(inspected.registry.entries, timeout: .seconds(1)) { texts.append($0) }
      // On a busy machine the other tree may take a second, too.
    } while texts.last?.hasPrefix("Tree 2 does not answer.") == true
    #expect(texts.count == 2)
    #expect(texts.first?.hasPrefix("Tree 1 does not answer. ") == true)
    #expect(texts.last?.hasPrefix("Tree 2\nRoot  active ") == true)
    blockade.signal()
    try await call.value
    withExtendedLifetime(other) {}
  }
}
