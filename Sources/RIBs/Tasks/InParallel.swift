// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Runs an operation for each input in parallel, off the tree, and returns the results in input order.
///
/// Call it in bound work, which continues on its tree with the results:
///
/// ```swift
/// final class QuotesInteractor: Interactor {
///   let quotes = BehaviorRelay<[Int]>(value: [])
///   private let client: RideClient
///
///   init(client: RideClient) { self.client = client }
///
///   func compare(_ rides: [RideID]) {
///     task {
///       self.quotes.accept(try await inParallel(rides) { [client = self.client] ride in try await client.quote(ride) })
///     }
///   }
/// }
/// ```
///
/// The child tasks of a plain task group, and of `async let`, inherit their parent's executor. Inside `task` they run
/// on the tree, one at a time, and block it while they compute. Here they run on the global executor, as with
/// `group.addTask(executorPreference: globalConcurrentExecutor)`.
///
/// When an operation throws, the others are cancelled, and the error is thrown after all have ended. Cancelling the
/// calling task cancels all operations; those that have not begun never do.
///
/// - Parameters:
///   - inputs: the inputs of the operation.
///   - limit: the maximum number of operations that run at once; nil for no limit.
///   - operation: the work, which runs off the tree on any thread.
/// - Returns: the results, in the order of the inputs.
/// - Throws: the first error of an operation; a `CancellationError` if the calling task was cancelled before all
///   operations had begun.
/// - Complexity: one child task for each input.
public nonisolated(nonsending) func inParallel<Inputs: Sequence, Output: Sendable>(
  _ inputs: Inputs, atMost limit: Int? = nil, _ operation: @escaping @Sendable (Inputs.Element) async throws -> Output
) async throws -> [Output] where Inputs.Element: Sendable {
  try await runInParallel(Array(inputs), limit: max(1, limit ?? .max), operation)
}

/// Not isolated, so that it never waits for the tree's actor.
@concurrent
private func runInParallel<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], limit: Int, _ operation: @escaping @Sendable (Input) async throws -> Output
) async throws -> [Output] {
  try await withThrowingTaskGroup(of: (index: Int, output: Output).self) { group in
    var outputs = [Output?](repeating: nil, count: inputs.count)
    for index in inputs.indices {
      if index >= limit, let done = try await group.next() { outputs[done.index] = done.output }
      try Task.checkCancellation()
      let input = inputs[index]
      group.addTask(executorPreference: globalConcurrentExecutor) {
        try Task.checkCancellation()
        // Not in the tuple: Swift 6.3.1 corrupts the other element in optimized code that throws.
        let output = try await operation(input)
        return (index, output)
      }
    }
    for try await done in group { outputs[done.index] = done.output }
    return outputs.compactMap(\.self)
  }
}
