// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

extension Mistake {
  fileprivate static let logic = """
    enum L: StreamLogic {
      struct Input { let add = InputPort<Int>() }
      struct State { let total = StateCell(0) }
      struct Output {
        let total: OutputValue<Int>
        let added: Observable<Int>
        let relay = BehaviorRelay(value: 0)
      }
      struct Extra { var store: UnidirectionalStream<L>.Output? }
      static func bind(_ binding: UnidirectionalStream<L>.Binding) -> Output {
        Output(total: OutputValue(binding.state.total), added: binding.input.add)
      }
    }

    """

  private static func mistake(
    _ name: String, _ wrong: String, _ diagnostic: String, _ right: String, isOfTypes: Bool = true
  ) -> Mistake {
    func use(_ code: String) -> String { "func use(_ stream: UnidirectionalStream<L>) {\n\(code)\n}" }
    return Mistake(name: name, isOfTypes: isOfTypes, wrong: use(wrong), diagnostic: diagnostic, right: use(right))
  }

  static let oneWay = [
    mistake(
      "observing an input", "_ = stream.input.add.subscribe(onNext: { _ in })",
      "value of type 'InputPort<Int>.Sender' has no member 'subscribe'", "stream.input.add.accept(1)"),
    mistake(
      "an input as an observable", "_ = stream.input.add.asObservable()",
      "value of type 'InputPort<Int>.Sender' has no member 'asObservable'",
      "_ = stream.output.added.subscribe(onNext: { _ in })"),
    mistake(
      "writing a value of the output", "stream.output.total.accept(1)",
      "value of type 'OutputValue<Int>' has no member 'accept'", "_ = stream.output.total.value"),
    mistake(
      "setting a value of the output", "stream.output.total.value = 1",
      "cannot assign to property: 'value' is a get-only property",
      "_ = stream.output.total.subscribe(onNext: { _ in })"),
    mistake(
      "writing to a stream of the output", "stream.output.added.accept(1)",
      "value of type 'Observable<Int>' has no member 'accept'", "_ = stream.output.added.map { $0 + 1 }"),
    mistake(
      "a relay in the output", "stream.output.relay.accept(1)", "error: ",
      "_ = OutputValue(BehaviorRelay(value: 0)).value"),
    mistake(
      "reaching the output itself", "_ = stream.output.output",
      "value of type 'UnidirectionalStream<L>.Output' has no dynamic member 'output'", "_ = stream.output"),
    mistake(
      "sending to a port that was kept",
      "let input = L.Input()\n_ = UnidirectionalStream<L>(input: input, state: .init(), extra: .init())\ninput.add.accept(1)",
      "value of type 'InputPort<Int>' has no member 'accept'",
      "let input = L.Input()\nUnidirectionalStream<L>(input: input, state: .init(), extra: .init()).input.add.accept(1)"
    ),
    mistake(
      "observing a port that was kept", "let input = L.Input()\n_ = input.add.subscribe(onNext: { _ in })",
      "value of type 'InputPort<Int>' has no member 'subscribe'", "_ = L.Input()"),
    mistake(
      "the inside of a port that was kept", "let input = L.Input()\ninput.add.subject.send(1)",
      "'subject' is inaccessible due to 'internal' protection level", "_ = L.Input()"),
    mistake(
      "reaching the state", "_ = stream.state", "value of type 'UnidirectionalStream<L>' has no member 'state'",
      "_ = stream.output.total.value"),
    mistake(
      "reaching the binding", "_ = stream.binding", "'binding' is inaccessible due to 'private' protection level",
      "_ = stream.output"),
    mistake(
      "reading state that was kept", "let state = L.State()\n_ = state.total.value",
      "value of type 'StateCell<Int>' has no member 'value'", "_ = L.State()"),
    mistake(
      "writing state that was kept", "let state = L.State()\nstate.total.accept(1)",
      "value of type 'StateCell<Int>' has no member 'accept'", "_ = L.State()"),
    mistake(
      "showing state that was kept", "_ = OutputValue<Int>(L.State().total)",
      "cannot convert value of type 'StateCell<Int>' to expected argument type 'BehaviorRelay<Int>'", "_ = L.State()"),
    mistake(
      "the inside of state that was kept", "L.State().total.relay.accept(1)",
      "'relay' is inaccessible due to 'internal' protection level", "_ = L.State()"),
    mistake(
      "the state by a binding's members", "_ = UnidirectionalStream<L>.Binding.Members<L.State>(L.State(), of: stream)",
      "initializer is inaccessible due to 'fileprivate' protection level", "_ = L.State()"),
    mistake(
      "making a sender of a port that was kept", "InputPort<Int>.Sender(L.Input().add).accept(1)",
      "initializer is inaccessible due to 'internal' protection level", "stream.input.add.accept(1)"),
    mistake(
      "a logic that sends its own input",
      "func bind(_ binding: UnidirectionalStream<L>.Binding) { binding.input.add.accept(1) }",
      "value of type 'Observable<Int>' has no member 'accept'",
      "func bind(_ binding: UnidirectionalStream<L>.Binding) { binding.state.total.accept(1) }"),
    mistake(
      "a logic that makes a sender of its own input",
      "func bind(_ binding: UnidirectionalStream<L>.Binding) { UnidirectionalStream<L>.Input(L.Input()).add.accept(1) }",
      "initializer is inaccessible due to 'internal' protection level",
      "func bind(_ binding: UnidirectionalStream<L>.Binding) { _ = binding.input.add }"),
    mistake(
      "a binding created by other code", "_ = L.bind(UnidirectionalStream<L>.Binding(L.Input(), L.State(), L.Extra()))",
      "initializer is inaccessible due to 'internal' protection level", "_ = UnidirectionalStream<L>.self"),
    mistake(
      "a store that writes to a store",
      "func bind(_ binding: UnidirectionalStream<L>.Binding) { binding.extra.store?.total.accept(1) }",
      "value of type 'OutputValue<Int>' has no member 'accept'",
      "func bind(_ binding: UnidirectionalStream<L>.Binding) { binding.state.total.accept(binding.extra.store?.total.value ?? 0) }"
    ),
    mistake(
      "a store that sends to a store", "func bind(_ store: UnidirectionalStream<L>.Output) { store.add.accept(1) }",
      "value of type 'UnidirectionalStream<L>.Output' has no dynamic member 'add'",
      "func bind(_ store: UnidirectionalStream<L>.Output) { _ = store.added }"),
    mistake(
      "a stream that leaves its tree", "Task { stream.input.add.accept(1) }", "risks causing data races",
      "stream.input.add.accept(1)", isOfTypes: false),
  ]
}

@Suite("The compiler, of one-way streams,")
struct OneWayTests {
  private static let found = Mistake.check(Mistake.oneWay, beside: Mistake.logic)

  @Test("refuses code that violates the one-way direction, and accepts other code", arguments: Mistake.oneWay)
  func mistake(_ mistake: Mistake) throws {
    mistake.expectDistinguished(try #require(OneWayTests.found[mistake.name]))
  }
}
