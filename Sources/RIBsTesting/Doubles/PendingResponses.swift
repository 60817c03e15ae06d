// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Holds the pending questions of a service double until a test answers them.
///
/// `run` calls services off the tree, so their doubles are `Sendable`. Each asynchronous method of the double passes
/// its question on:
///
/// ```swift
/// struct FareServiceDouble: FareService {
///   let fares = PendingResponses<Trip, Int>()
///   func fare(of trip: Trip) async throws -> Int { try await fares.answer(to: trip) }
/// }
/// ```
///
/// The test checks the questions and answers them:
///
/// ```swift
/// test.settle()
/// #expect(service.fares.questions == [trip])
/// service.fares.respond(with: 12)
/// test.settle()
/// ```
public final class PendingResponses<Question: Sendable, Answer: Sendable>: Sendable {
  private struct Waiting {
    let id: Int
    let question: Question
    let answer: CheckedContinuation<Answer, any Error>
  }

  private struct State {
    var lastID = 0
    /// In the order in which they were asked.
    var waiting: [Waiting] = []
    /// The ids cancelled before their question was registered.
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())
  private let respectsCancellation: Bool

  /// Creates an object without pending questions.
  ///
  /// - Parameter respectsCancellation: whether cancelling the asking task withdraws its question. Pass false to
  ///   simulate a service that continues, and to answer after the scope has ended.
  public init(respectsCancellation: Bool = true) { self.respectsCancellation = respectsCancellation }

  deinit {
    for waiting in state.withLock({ $0.waiting }) { waiting.answer.resume(throwing: CancellationError()) }
  }

  /// The pending questions, in the order in which they were asked.
  public var questions: [Question] { state.withLock { $0.waiting.map(\.question) } }

  /// Asks a question, and returns the test's answer.
  ///
  /// - Throws: the error that the test passes to `fail(with:)`, or a `CancellationError` when the asking task is
  ///   cancelled and cancellation is respected.
  public func answer(to question: Question) async throws -> Answer {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    // Discard a cancellation that came too late.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          state.waiting.append(Waiting(id: id, question: question, answer: answer))
          return false
        }
        if isCancelled { answer.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      guard respectsCancellation else { return }
      let waiting = state.withLock { state -> Waiting? in
        if let index = state.waiting.firstIndex(where: { $0.id == id }) { return state.waiting.remove(at: index) }
        state.cancelled.insert(id)
        return nil
      }
      waiting?.answer.resume(throwing: CancellationError())
    }
  }

  /// Answers the oldest pending question. Fails the test if there is none.
  ///
  /// - Parameters:
  ///   - answer: the value that `answer(to:)` returns once the tree runs.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func respond(
    with answer: Answer, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    takeFirst(at: place)?.resume(returning: answer)
  }

  /// Answers the oldest pending question with an error. Fails the test if there is none.
  ///
  /// - Parameters:
  ///   - error: the error that `answer(to:)` throws once the tree runs.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func fail(
    with error: any Error, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    takeFirst(at: place)?.resume(throwing: error)
  }

  private func takeFirst(at place: SourcePlace) -> CheckedContinuation<Answer, any Error>? {
    let first = state.withLock { state in state.waiting.isEmpty ? nil : state.waiting.removeFirst() }
    if first == nil {
      FailureReporting.report(
        "No call is pending: none was made, or all were answered or cancelled.",
        advice: "Call settle() or advance(by:) first, so that the tree makes the call.", at: place)
    }
    return first?.answer
  }
}
