internal import RIBs

/// Keeps the questions that a service's double is asked, until a test answers them.
///
/// Services are called by `run`, off the tree, so their doubles are `Sendable`, and each of their asynchronous functions
/// hands its question over:
///
/// ```swift
/// struct FareServiceDouble: FareService {
///   let fares = PendingResponses<Trip, Int>()
///   func fare(of trip: Trip) async throws -> Int { try await fares.answer(to: trip) }
/// }
/// ```
///
/// The test looks at what was asked, and answers when it likes:
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
    /// Who was cancelled before asking.
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())
  private let respectsCancellation: Bool

  /// Creates something that has not been asked yet.
  ///
  /// - Parameter respectsCancellation: whether a question is taken back when the asking task is cancelled; false for a
  ///   service that goes on, so that a test can answer when nobody should hear it any more.
  public init(respectsCancellation: Bool = true) { self.respectsCancellation = respectsCancellation }

  deinit {
    for waiting in state.withLock({ $0.waiting }) { waiting.answer.resume(throwing: CancellationError()) }
  }

  /// What was asked and has not been answered, in the order of asking.
  public var questions: [Question] { state.withLock { $0.waiting.map(\.question) } }

  /// Asks, and returns when the test has answered.
  ///
  /// - Throws: what the test lets it fail with, or a `CancellationError` when the asking task is cancelled, which takes
  ///   the question back unless cancellation is not heeded.
  public func answer(to question: Question) async throws -> Answer {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    // A cancellation that came too late is forgotten.
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

  /// PendingResponses the question that was asked first of those without an answer. Fails if there is none.
  ///
  /// - Parameters:
  ///   - answer: what whoever asked receives, when the test lets the tree go on.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
  public func respond(
    with answer: Answer, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    takeFirst(at: place)?.resume(returning: answer)
  }

  /// Lets the question fail that was asked first of those without an answer. Fails the test if there is none.
  ///
  /// - Parameters:
  ///   - error: what is thrown to whoever asked, when the test lets the tree go on.
  ///   - fileID: leave out; says where a failure is shown, with the others.
  ///   - filePath: leave out.
  ///   - line: leave out.
  ///   - column: leave out.
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
        "There is no question to answer: nothing was asked, or all of it was answered or taken back.",
        advice: "Let the tree get there with settle() or advance(by:) first.", at: place)
    }
    return first?.answer
  }
}
