internal import RIBs

/// The misuse of a tree that no test has expected yet.
final class Reports: Sendable {
  private let misuses = Locked<[Misuse]>([])

  func add(_ misuse: Misuse) { misuses { $0.append(misuse) } }

  func take() -> [Misuse] {
    misuses { misuses in
      defer { misuses = [] }
      return misuses
    }
  }
}
