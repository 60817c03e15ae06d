// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InMemoryLogging
import Logging
import RIBs
import RIBsStore
import RIBsTesting
import Testing
import TreeLog

@Suite("The log of a tree")
struct TreeLogTests {
  private let handler = InMemoryLogHandler()

  private func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "trees", factory: { _ in handler })
    logger.logLevel = level
    return logger
  }

  private var lines: [String] {
    handler.entries.map { entry in
      let metadata = entry.metadata.filter { $0.key != "seconds" }.sorted { $0.key < $1.key }
      return ([entry.level.rawValue, "\(entry.message)"] + metadata.map { "\($0.key)=\($0.value)" })
        .joined(separator: " ")
        // Lines of the demonstration's source change.
        .replacing(/\.swift:[0-9]+/, with: ".swift")
    }
  }

  @Test("has the same lines for each order of a taxi, and has none of the user's values")
  @MainActor
  func golden() throws {
    let log = TreeLog(logger(.trace))
    try TestTree(recording: []).order(from: TaxiBackend(outages: 1)) { event in log.log(event) }
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/order.log")
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["RIBS_UPDATE_GOLDEN"] != nil {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    #expect(lines.count > 100)
    #expect(!text.contains("secret") && !text.contains("Mara"))
  }

  @Test("has failures, misuse, leaks and restarts as warnings, and creates no other events at a higher level")
  func warnings() async throws {
    var configuration = TreeConfiguration(name: "order-17", leakDetection: .off, onMisuse: { _ in })
    TreeLog(logger(.info)).observe(&configuration)
    #expect(configuration.eventKinds?.contains(.taskFailed) == true)
    #expect(configuration.eventKinds?.contains(.activated) == false)
    let (failures, failure) = AsyncStream<Void>.makeStream()
    let onFailure = configuration.onFailure
    configuration.onFailure = { unhandled in
      onFailure?(unhandled)
      failure.yield()
    }
    let host = await TreeHost(configuration: configuration) {
      SmallRouter { interactor in interactor.task("load", overlap: .concurrent) { throw Outage() } }
    }
    for await _ in failures { break }
    try await host.perform { root in
      root.detachChild(SmallRouter())
      root.interactor.fail(Outage())
    }
    await host.shutdown()
    let text = lines.joined(separator: "\n")
    #expect(text.contains("warning misuse advice=Detach it from the router that attached it, once. misuse=notAChild"))
    #expect(text.contains("warning taskFailed error=Outage node=1 rib=Small tree=order-17 work=load"))
    #expect(text.contains("error unhandled failure error=Outage"))
    #expect(text.contains("warning failed error=Outage"))
    #expect(text.contains("rib=Small tree=order-17"))
    #expect(!text.contains("trace") && !text.contains("secret"))
  }

  @Test("calls the handlers that the configuration has, with the kinds that they ask for")
  func chain() async throws {
    let (kinds, kind) = AsyncStream<TreeEvent.Kind>.makeStream()
    var configuration = TreeConfiguration(
      leakDetection: .off, eventKinds: [.resigned, .ended], onEvent: { kind.yield($0.kind) })
    TreeLog(logger(.trace)).observe(&configuration)
    let host = await TreeHost(configuration: configuration) { SmallRouter() }
    await host.shutdown()
    kind.finish()
    var received: [TreeEvent.Kind] = []
    for await kind in kinds { received.append(kind) }
    #expect(received == [.resigned, .ended])
    #expect(lines.map { $0.split(separator: " ")[1] } == ["attached", "activated", "loaded", "resigned", "ended"])
  }

  @Test("has the labels of RIBs, as the descriptions of events have them, and the name of the tree apart")
  func labels() async throws {
    var configuration = TreeConfiguration(name: "order-17", leakDetection: .off)
    TreeLog(logger(.trace)).observe(&configuration)
    let (descriptions, description) = AsyncStream<String>.makeStream()
    configuration.addEventHandler(of: [.activated]) { event in description.yield("\(event.path)") }
    let host = await TreeHost(configuration: configuration) {
      let root = SmallRouter()
      root.attachChild(Router(interactor: RoomInteractor()))
      return root
    }
    await host.shutdown()
    description.finish()
    var paths: [String] = []
    for await path in descriptions { paths.append(path) }
    #expect(paths == ["order-17:Small", "order-17:Small/Room swift"])
    #expect(
      lines.filter { $0.hasPrefix("trace activated") } == [
        "trace activated node=1 rib=Small tree=order-17", "trace activated node=2 rib=Small/Room swift tree=order-17",
      ])
  }

  @Test("has the problems of a directory")
  func directory() {
    let log = TreeLog(logger(.info))
    log.log(DirectoryEvent<Int>.opened(1))
    log.log(DirectoryEvent<Int>.fenced(2))
    log.log(DirectoryEvent<Int>.failed(3, Outage()))
    log.log(DirectoryEvent<Int>.storeFailed(FullDisk()))
    log.log(DirectoryEvent<Int>.storeRecovered)
    #expect(
      lines == [
        "warning tree claimed by another owner tree=2", "warning tree failed error=Outage tree=3",
        "warning store failed error=FullDisk reason=no space is left", "notice store recovered",
      ])
  }
}

private struct FullDisk: Error, CustomStringConvertible {
  var description: String { "no space is left" }
}

private final class RoomInteractor: Interactor {
  override var ribLabel: String? { "swift" }
}
