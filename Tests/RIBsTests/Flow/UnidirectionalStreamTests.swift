// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A one-way stream")
struct UnidirectionalStreamTests {
  private let bag = DisposeBag()
  private let test = TestTree(recording: .values)
  /// The initial values of a counter.
  private let beginning = BehaviorRelay(value: 0)

  private func counter(
    _ input: CounterLogic.Input = .init(), _ state: CounterLogic.State = .init(), onEnd: @escaping () -> Void = {}
  ) -> UnidirectionalStream<CounterLogic> {
    UnidirectionalStream(
      input: input, state: state,
      extra: .init(beginning: OutputValue(beginning), onEnd: onEnd))
  }

  private func follow(_ stream: UnidirectionalStream<CounterLogic>) {
    test.transcript.record(stream.output.total, as: "total").disposed(by: bag)
    test.transcript.record(stream.output.isEven, as: "even").disposed(by: bag)
    test.transcript.record(stream.output.added, as: "added").disposed(by: bag)
  }

  @Test("turns events and values of another stream into state and output, during the call that sends them")
  func hop() {
    beginning.accept(4)
    let stream = counter()
    follow(stream)
    stream.input.add.accept(3)
    #expect(stream.output.total.value == 7)
    stream.input.clear.accept()
    test.expect("total: 4", "even: true", "total: 7", "even: false", "added: 3", "total: 0", "even: true")
    beginning.accept(5)
    test.expect("total: 5", "even: false")
    stream.dispose()
  }

  @Test("enqueues an event that is sent during the delivery of another")
  func reentrance() {
    let stream = counter()
    stream.output.total.subscribe(onNext: { total in
      if total == 1 { stream.input.add.accept(10) }
    }).disposed(by: bag)
    follow(stream)
    stream.input.add.accept(1)
    test.expect(
      """
      total: 0
      even: true
      total: 1
      even: false
      added: 1
      total: 11
      even: false
      added: 10
      """)
    stream.dispose()
  }

  @Test("ends what its logic subscribed to and then its outputs, and ignores further events")
  func end() {
    let (input, state) = (CounterLogic.Input(), CounterLogic.State())
    let stream = counter(input, state, onEnd: { [test] in test.transcript.write("logic ends") })
    let (sender, output) = (stream.input, stream.output)
    follow(stream)
    stream.input.add.accept(5)
    test.skip()
    stream.dispose()
    test.expect("logic ends", "total ended", "even ended", "added ended")
    sender.add.accept(1)
    stream.input.clear.accept()
    stream.dispose()
    test.expect()
    #expect(output.total.value == 5)
    let late = StreamRecorder(output.added)
    late.expect()
    #expect(late.hasEnded)
    withExtendedLifetime((input, state)) {}
  }

  @Test("ends when its last reference is released, even if the logic has captured its binding, and releases the state")
  func release() {
    var isGone = false
    var stream: UnidirectionalStream<CounterLogic>? = counter(
      .init(), .init(end: Goodbye { isGone = true }))
    weak let weakStream = stream
    if let stream { follow(stream) }
    stream?.input.add.accept(1)
    #expect(!isGone)
    withExtendedLifetime(stream) { test.skip() }
    stream = nil
    #expect(weakStream == nil)
    #expect(isGone)
    test.expect("total ended", "even ended", "added ended")
  }

  @Test("needs neither state nor external dependencies")
  func bare() {
    let stream = UnidirectionalStream<EchoLogic>(input: EchoLogic.Input())
    let texts = StreamRecorder(stream.output.text)
    stream.input.text.accept("hello")
    texts.expect("hello")
    stream.dispose()
  }

  @Test("has an output that a test can create without a stream")
  func double() {
    let total = BehaviorRelay(value: 1)
    let output = UnidirectionalStream<CounterLogic>.Output(
      .init(total: OutputValue(total), isEven: .never(), added: .just(3)))
    total.accept(2)
    #expect(output.total.value == 2)
    StreamRecorder(output.total.asObservable()).expect(2)
  }
}
