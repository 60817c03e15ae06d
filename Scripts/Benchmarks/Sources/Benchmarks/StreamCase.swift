import RIBs

@inline(never)
func deliver(_ value: Int, to closures: [(Int) -> Void]) {
  for closure in closures { closure(value) }
}

@MainActor
func streamCase() {
  for subscribers in [1, 10, 1_000] {
    let count = 1_000_000 / subscribers
    var sum = 0
    let closures = (0..<subscribers).map { _ in { (value: Int) in sum &+= value } }
    let bare = best(operations: count) { for value in 0..<count { deliver(value, to: closures) } }
    let relay = PublishRelay<Int>()
    let bag = DisposeBag()
    for _ in 0..<subscribers { relay.subscribe(onNext: { sum &+= $0 }).disposed(by: bag) }
    let ours = best(operations: count) { for value in 0..<count { relay.accept(value) } }
    report("relay to \(subscribers)", ours, bare)
    let behavior = BehaviorRelay(value: 0)
    for _ in 0..<subscribers { behavior.subscribe(onNext: { sum &+= $0 }).disposed(by: bag) }
    report(
      "behaviour relay to \(subscribers)", best(operations: count) { for v in 0..<count { behavior.accept(v) } }, bare)
    let mapped = PublishRelay<Int>()
    for _ in 0..<subscribers {
      mapped.asObservable().map { $0 + 1 }.subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
    }
    report(
      "relay through map to \(subscribers)", best(operations: count) { for v in 0..<count { mapped.accept(v) } }, bare)
    keep(sum)
  }
  let relay = PublishRelay<Int>()
  let all = best(operations: 1_000) {
    let subscriptions = (0..<1_000).map { _ in relay.subscribe(onNext: { _ in }) }
    for subscription in subscriptions { subscription.dispose() }
  }
  report("subscribe and dispose", all, all)
}
