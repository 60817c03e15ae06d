// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import InMemoryTracing
import RIBs
import RIBsTesting
import Synchronization
import TaxiOrder
import Testing
import Tracing
import TreeTraces

@Suite("The spans of a tree", .timeLimit(.minutes(15)))
struct TreeTracesTests {
  private let tracer = InMemoryTracer()

  private func configuration(_ ribs: Set<String>? = nil) -> TreeConfiguration {
    var configuration = TreeConfiguration(leakDetection: .off, onFailure: { _ in })
    TreeTraces(tracer, ribs: ribs).observe(&configuration)
    return configuration
  }

  /// The name of each span, after those of the spans above it.
  private var paths: [String] {
    let spans = tracer.finishedSpans
    let byID = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0) })
    return spans.map { span in
      var (path, next) = (span.operationName, span.parentSpanID)
      while let parent = next.flatMap({ byID[$0] }) {
        path = parent.operationName + "/" + path
        next = parent.parentSpanID
      }
      return path
    }.sorted()
  }

  @Test("have the shape of the RIBs of an order, and are current in the work")
  func order() async throws {
    let expected = Mutex<[String]>([])
    var configuration = TreeConfiguration(
      leakDetection: .off,
      onEvent: { event in
        guard [.activated, .taskStarted].contains(event.kind) else { return }
        let names = event.path.components + (event.work.map { [$0] } ?? [])
        expected.withLock { $0.append(names.joined(separator: "/")) }
      })
    TreeTraces(tracer).observe(&configuration)
    let backend = TaxiBackend()
    let session = await TreeHost(configuration: configuration) {
      RiderSessionBuilder(dependency: TaxiServer(backend)).build()
    }
    try await session.order()
    await session.shutdown()
    let paths = paths
    #expect(paths == expected.withLock { $0.sorted() })
    #expect(paths.contains { $0.hasPrefix("RiderSession/Root/LoggedIn/Order/Selecting/") })
    #expect(tracer.activeSpans.isEmpty)
    #expect(Set(tracer.finishedSpans.map(\.traceID)).count == 1)

    let names = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.spanID, $0.operationName) })
    let current = backend.contexts.map { $0?.inMemorySpanContext.flatMap { names[$0.spanID] } }
    #expect(current.count > 4)
    #expect(current.allSatisfy { $0?.contains(".swift:") == true })
  }

  @Test("of requested work are linked to the request; those of a RIB's own work are not")
  func links() async throws {
    let host = await TreeHost(configuration: configuration()) { SmallRouter() }
    let request = try await tracer.withSpan("request") { span in
      try await host.perform { root in
        root.attachChild(SmallRouter { child in child.task("own", overlap: .concurrent) {} })
        root.interactor.task("requested", overlap: .concurrent) {}
      }
      return span.spanID
    }
    await host.shutdown()
    let spans = tracer.finishedSpans
    let requested = try #require(spans.first { $0.operationName.hasPrefix("requested") })
    #expect(requested.links.map { $0.context.inMemorySpanContext?.spanID } == [request])
    #expect(requested.parentSpanID == spans.first { $0.operationName == "Small" && $0.parentSpanID == nil }?.spanID)
    let own = try #require(spans.first { $0.operationName.hasPrefix("own") })
    #expect(own.links.isEmpty)
    #expect(paths.contains { $0.hasPrefix("Small/Small/own") })
  }

  @Test("record the errors of failed work and of failed RIBs")
  func errors() async throws {
    let (failures, failure) = AsyncStream<Void>.makeStream()
    var configuration = TreeConfiguration(
      leakDetection: .off, eventKinds: [.taskFailed], onEvent: { _ in failure.yield() }, onFailure: { _ in })
    TreeTraces(tracer).observe(&configuration)
    let host = await TreeHost(configuration: configuration) {
      SmallRouter { interactor in interactor.task { throw Outage() } }
    }
    for await _ in failures { break }
    try await host.perform { root in root.interactor.fail(Outage()) }
    await host.shutdown()
    let spans = tracer.finishedSpans
    let failed = spans.filter { !$0.errors.isEmpty }
    #expect(failed.contains { $0.operationName == "Small" && $0.status?.code == .error })
    #expect(failed.contains { $0.operationName.contains("TreeTracesTests.swift") && $0.status?.code == .error })
    #expect(failed.flatMap(\.errors).allSatisfy { $0.error is Outage })
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test("are made of the named RIBs only, and those below others are below the next named one")
  func named() async throws {
    var expected: [String] = []
    let session = await TreeHost(configuration: configuration(["RiderSession", "Order"])) {
      RiderSessionBuilder(dependency: TaxiServer(TaxiBackend())).build()
    }
    try await session.order()
    await session.shutdown()
    let ribs = paths.filter { !$0.contains(".swift") }
    expected = ["RiderSession", "RiderSession/Order"]
    #expect(ribs == expected)
    #expect(paths.contains { $0.hasPrefix("RiderSession/Order/") && $0.contains("FareQuoteInteractor.swift") })
    #expect(tracer.activeSpans.isEmpty)
  }
}
