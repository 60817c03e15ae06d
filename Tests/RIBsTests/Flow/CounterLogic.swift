// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Adds numbers to the value of a store.
enum CounterLogic: StreamLogic {
  struct Input {
    let add = InputPort<Int>()
    let clear = InputPort<Void>()
    let unused = InputPort<Void>()
  }

  struct State {
    let total = StateCell(0)
    /// Called when the state is released.
    var end: Goodbye?
  }

  struct Output {
    let total: OutputValue<Int>
    let isEven: Observable<Bool>
    let added: Observable<Int>
  }

  struct Extra {
    var beginning: OutputValue<Int>
    var onEnd: () -> Void = {}
  }

  static func bind(_ binding: UnidirectionalStream<CounterLogic>.Binding) -> Output {
    // The binding is captured deliberately: that must not keep anything alive.
    Disposables.create(with: binding.extra.onEnd).disposed(by: binding)
    binding.extra.beginning.subscribe(onNext: { binding.state.total.accept($0) }).disposed(by: binding)
    binding.input.add.subscribe(onNext: { binding.state.total.accept(binding.state.total.value + $0) })
      .disposed(by: binding)
    binding.input.clear.subscribe(onNext: { binding.state.total.accept(0) }).disposed(by: binding)
    return Output(
      total: OutputValue(binding.state.total), isEven: binding.state.total.asObservable().map { $0 % 2 == 0 },
      added: binding.input.add)
  }
}

/// A logic without state and dependencies.
enum EchoLogic: StreamLogic {
  struct Input { let text = InputPort<String>() }
  struct Output { let text: Observable<String> }
  typealias State = Void
  typealias Extra = Void

  static func bind(_ binding: UnidirectionalStream<EchoLogic>.Binding) -> Output { Output(text: binding.input.text) }
}
