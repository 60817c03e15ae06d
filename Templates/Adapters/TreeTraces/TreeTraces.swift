// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Makes spans of RIBs and of their bound work (swift-distributed-tracing): a template, yours to change.
//
// In Package.swift:
//
//   .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
//   .target(
//     name: "TreeTraces",
//     dependencies: [
//       .product(name: "RIBs", package: "swift-ribs"),
//       .product(name: "Tracing", package: "swift-distributed-tracing"),
//     ]),

public import RIBs
import Synchronization
public import Tracing

/// Makes spans of the RIBs of trees and of their bound work.
///
/// The span of a RIB lasts as long as it is active, and is below the span of its parent. The span of the root begins a
/// trace. The span of bound work is below that of its RIB, and is current in the work: spans that the work starts, such
/// as those of an HTTP client, are below it. So the spans of a tree have the shape of its RIBs.
///
/// ```swift
/// let traces = TreeTraces(tracer)
/// let directory = TreeDirectory<String, OrderRouter>(tree: { _ in
///   var configuration = TreeConfiguration()
///   traces.observe(&configuration)
///   return configuration
/// }, build: { … })
/// ```
///
/// Work that a request starts is not below the request's span, because it may last longer, but is linked to it.
public struct TreeTraces: Sendable {
  private let tracer: any Tracer
  private let ribs: Set<String>?

  /// - Parameters:
  ///   - tracer: starts the spans.
  ///   - ribs: the names of the RIBs that have spans, as in paths; nil for all. Spans below other RIBs are below the
  ///     next named RIB above.
  public init(_ tracer: any Tracer, ribs: Set<String>? = nil) {
    self.tracer = tracer
    self.ribs = ribs
  }

  /// Adds the spans to the configuration of one tree. The configuration's own handlers are called too.
  ///
  /// Each tree needs a configuration of its own, because the numbers of RIBs and of work are unique in one tree only.
  public func observe(_ configuration: inout TreeConfiguration) {
    let spans = TreeSpans(tracer, ribs)
    configuration.addEventHandler(of: [.activated, .resigned, .failed, .taskEnded, .taskFailed]) { event in
      spans.record(event)
    }
    let aroundWork = configuration.aroundWork
    configuration.aroundWork = { event, start in
      spans.begin(event) {
        if let aroundWork { aroundWork(event, start) } else { start() }
      }
    }
  }
}

/// The open spans of one tree.
private final class TreeSpans: Sendable {
  private let tracer: any Tracer
  private let ribs: Set<String>?
  private let state = Mutex(State())

  private struct State {
    /// The context of each active RIB. That of a RIB without a span is its parent's.
    var contexts: [NodeID: ServiceContext] = [:]
    var activities: [NodeID: any Span] = [:]
    var work: [BoundWork.ID: any Span] = [:]
  }

  init(_ tracer: any Tracer, _ ribs: Set<String>?) {
    self.tracer = tracer
    self.ribs = ribs
  }

  func record(_ event: TreeEvent) {
    switch event.kind {
    case .activated: beginActivity(event)
    case .resigned: endActivity(event)
    case .failed: fail(event.node.flatMap { node in state.withLock { $0.activities[node] } }, event.failure)
    case .taskEnded, .taskFailed: endWork(event)
    default: break
    }
  }

  private func beginActivity(_ event: TreeEvent) {
    guard let node = event.node else { return }
    let parent = state.withLock { state in event.parent.flatMap { state.contexts[$0] } }
    guard ribs?.contains(event.rib.description) != false else { return state.withLock { $0.contexts[node] = parent } }
    let span = tracer.startSpan(event.rib.description, context: parent ?? .topLevel)
    if let tree = event.path.tree { span.attributes["ribs.tree"] = tree }
    state.withLock { state in
      state.activities[node] = span
      state.contexts[node] = span.context
    }
  }

  private func endActivity(_ event: TreeEvent) {
    guard let node = event.node else { return }
    let span = state.withLock { state in
      state.contexts[node] = nil
      return state.activities.removeValue(forKey: node)
    }
    span?.end()
  }

  /// Starts work with its span as the current one.
  func begin(_ event: TreeEvent, _ start: () -> Void) {
    guard let id = event.workID else { return start() }
    let parent = event.node.flatMap { node in state.withLock { $0.contexts[node] } }
    let span = tracer.startSpan(event.work ?? "work", context: parent ?? .topLevel)
    if let request = ServiceContext.current { span.addLink(SpanLink(context: request, attributes: [:])) }
    state.withLock { $0.work[id] = span }
    ServiceContext.$current.withValue(span.context) { start() }
  }

  private func endWork(_ event: TreeEvent) {
    guard let id = event.workID, let span = state.withLock({ $0.work.removeValue(forKey: id) }) else { return }
    if event.isCancelled { span.attributes["ribs.cancelled"] = true }
    if event.kind == .taskFailed { fail(span, event.failure) }
    span.end()
  }

  private func fail(_ span: (any Span)?, _ error: (any Error)?) {
    guard let span else { return }
    if let error { span.recordError(error) }
    span.setStatus(SpanStatus(code: .error))
  }
}
