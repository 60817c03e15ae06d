import RIBs

final class WorkInteractor: Interactor {
  var done = 0
  func start(_ count: Int) { for _ in 0..<count { task { self.done += 1 } } }
  func startAway(_ count: Int) { for _ in 0..<count { run({ 1 }) { self.done += $0 } } }
}

final class State { var done = 0 }

actor Plain {
  let state = State()
  func start(_ count: Int) { for _ in 0..<count { Task { self.state.done += 1 } } }
  func startAway(_ count: Int) {
    for _ in 0..<count {
      Task.detached {
        let value = 1; await self.add(value)
      }
    }
  }
  func add(_ value: Int) { state.done += value }
  func takeDone(_ count: Int) -> Bool {
    guard state.done >= count else { return false }
    state.done = 0
    return true
  }
  func perform<Value: Sendable>(_ body: @Sendable (State) throws -> Value) rethrows -> Value { try body(state) }
}

func taskCase() async throws {
  let count = 20_000
  let plain = Plain()
  let host = await TreeHost { Router(interactor: WorkInteractor()) }
  func hostDone() async throws -> Bool {
    try await host.perform { root in
      guard root.interactor.done >= count else { return false }
      root.interactor.done = 0
      return true
    }
  }
  let bareTask = await best(operations: count) {
    await plain.start(count)
    while !(await plain.takeDone(count)) { await Task.yield() }
  }
  let task = try await best(operations: count) {
    try await host.perform { $0.interactor.start(count) }
    while !(try await hostDone()) { await Task.yield() }
  }
  report("task", task, bareTask)
  let bareRun = await best(operations: count) {
    await plain.startAway(count)
    while !(await plain.takeDone(count)) { await Task.yield() }
  }
  let run = try await best(operations: count) {
    try await host.perform { $0.interactor.startAway(count) }
    while !(try await hostDone()) { await Task.yield() }
  }
  report("run", run, bareRun)
  let calls = 200_000
  let bareCall = await best(operations: calls) { for _ in 0..<calls { await plain.perform { $0.done = 1 } } }
  let call = try await best(operations: calls) {
    for _ in 0..<calls { try await host.perform { $0.interactor.done = 1 } }
  }
  report("perform", call, bareCall)
  await host.shutdown()
}
