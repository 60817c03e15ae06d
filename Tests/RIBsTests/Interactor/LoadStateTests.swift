// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("The state of loading")
struct LoadStateTests {
  typealias State = LoadState<Int, Failure>

  /// Every state, with and without a value.
  static let all: [State] = [
    .idle, .loading(previous: nil), .loading(previous: 1), .loaded(1), .failed(Failure(), previous: nil),
    .failed(Failure(), previous: 1),
  ]

  @Test("has a value as soon as one was loaded, and says whether it is loading or has failed", arguments: all)
  func value(_ state: State) {
    let hasValue = [.loading(previous: 1), .loaded(1), .failed(Failure(), previous: 1)].contains(state)
    #expect(state.value == (hasValue ? 1 : nil))
    #expect(state.isLoading == [.loading(previous: nil), .loading(previous: 1)].contains(state))
    let hasFailed = [.failed(Failure(), previous: nil), .failed(Failure(), previous: 1)].contains(state)
    #expect((state.failure != nil) == hasFailed)
  }

  @Test("keeps its value through every change, which it makes in place as it does by value", arguments: all)
  func changes(_ state: State) {
    func changed(_ change: (inout State) -> Void) -> State {
      var state = state
      change(&state)
      return state
    }
    #expect(state.begun() == .loading(previous: state.value))
    #expect(changed { $0.begin() } == state.begun())
    #expect(changed { $0.succeed(2) } == .loaded(2))
    #expect(state.failed(with: Failure()) == .failed(Failure(), previous: state.value))
    #expect(changed { $0.fail(Failure()) } == state.failed(with: Failure()))
    #expect(state.begun().cancelled() == state.value.map { .loaded($0) } ?? .idle)
    #expect(changed { $0.cancel() } == state.cancelled())
    // Without anything on its way that could be cancelled, it does not change.
    if !state.isLoading { #expect(state.cancelled() == state) }
  }

  @Test("is the same of a value that is made of its value", arguments: all)
  func map(_ state: State) {
    let text = state.map { "\($0)" }
    #expect(text.value == state.value.map { "\($0)" })
    #expect(text.isLoading == state.isLoading)
    #expect(text.failure == state.failure)
    #expect(text.map { Int($0) ?? 0 } == state)
  }
}
