import RIBs

/// Collects misuse from handlers, which may not capture anything of a tree.
final class MisuseLog: @unchecked Sendable {
  private(set) var misuses: [Misuse] = []

  var kinds: [Misuse.Kind] { misuses.map(\.kind) }

  func add(_ misuse: Misuse) { misuses.append(misuse) }
}

/// What was refused while a closure ran, outside a tree.
func misuses(_ body: () -> Void) -> [Misuse.Kind] {
  let log = MisuseLog()
  withMisuseHandler({ log.add($0) }, body)
  return log.kinds
}
