// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

enum SumLogic: StreamLogic {
  struct Input { let add = InputPort<Int>() }
  struct State { let sum = StateCell(0) }
  struct Output { let sum: OutputValue<Int> }
  typealias Extra = Void

  static func bind(_ binding: UnidirectionalStream<SumLogic>.Binding) -> Output {
    let sum = binding.state.sum
    binding.input.add.subscribe(onNext: { sum.accept(sum.value &+ $0) }).disposed(by: binding)
    return Output(sum: OutputValue(sum))
  }
}

final class SumInteractor: Interactor {
  var sum: UnidirectionalStream<SumLogic> {
    scoped { UnidirectionalStream(input: SumLogic.Input(), state: SumLogic.State()) }
  }
}

/// The cost of an event from the input of a one-way stream through its state to a subscriber of its output, compared
/// with two relays that are writable everywhere.
@MainActor
func oneWayCase() -> [Measurement] {
  let count = 100_000
  let bag = DisposeBag()
  var seen = 0
  let events = PublishRelay<Int>()
  let state = BehaviorRelay(value: 0)
  events.subscribe(onNext: { state.accept(state.value &+ $0) }).disposed(by: bag)
  state.subscribe(onNext: { seen &+= $0 }).disposed(by: bag)
  let bare = { for value in 0..<count { events.accept(value) } }
  let stream = UnidirectionalStream<SumLogic>(input: SumLogic.Input(), state: SumLogic.State())
  stream.output.sum.subscribe(onNext: { seen &+= $0 }).disposed(by: bag)
  let hop = Comparison(operations: count, baseline: bare) {
    for value in 0..<count { stream.input.add.accept(value) }
  }
  let interactor = SumInteractor()
  interactor.activate()
  interactor.sum.output.sum.subscribe(onNext: { seen &+= $0 }).disposed(by: bag)
  let scoped = Comparison(operations: count, baseline: bare) {
    for value in 0..<count { interactor.sum.input.add.accept(value) }
  }
  interactor.deactivate()
  keep(seen)
  return [
    Measurement("one-way stream, from input to output, beside two relays", hop),
    Measurement("the same, found through its scope each time", scoped),
  ]
}
