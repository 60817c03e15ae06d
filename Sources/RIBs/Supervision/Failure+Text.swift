// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeFailure: CustomStringConvertible {
  /// The failure as one line: path, work, error and advice.
  public var description: String {
    let name = work.map { "\(path): \($0)" } ?? "\(path)"
    let error = "\(error)".withoutFullStop
    let times = restarts == 0 ? "" : " after \(restarts) restart\(restarts == 1 ? "" : "s")"
    return switch outcome {
    case .stays:
      "RIBs: \(name) failed: \(error). Override didFail(_:of:) in the interactor to handle it, or set "
        + "TreeConfiguration.onFailure."
    case .detached:
      "RIBs: \(name) failed\(times): \(error). It was detached, because another route was set, its parent resigned, or "
        + "its didFail(_:of:) ended it."
    case .restarts:
      "RIBs: \(name) failed: \(error). It is restarted from what was last saved of it, so what was changed since may be "
        + "lost."
    case .treeEnded:
      "RIBs: \(name) failed\(times): \(error). The tree has ended, because no RIB above answered. Give the container "
        + "of the RIB restarts, or override childDidFail(_:) in its parent."
    }
  }
}

extension Interactor.ChildFailure: CustomStringConvertible {
  /// The failure as one line: path and error.
  public var description: String {
    "\(path) failed\(path == source ? "" : ", because \(source) did"): \(error)"
  }
}

extension String {
  /// The text, so that it can be followed by a full stop.
  fileprivate var withoutFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}

extension Interactor.ChildFailure {
  /// The place of the child in a container; nil if it was in another one, or in none.
  package func place(in container: ChildContainer) -> Int? {
    self.container.flatMap { $0.id == ObjectIdentifier(container) ? $0.place : nil }
  }
}
