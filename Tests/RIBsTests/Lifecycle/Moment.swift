import RIBs

/// A moment at which the runtime calls user code.
enum Moment: UInt8, CaseIterable {
  case attached, activated, streamTrue, didBecomeActive, loaded, lifecycle, didLoad
  case willResignActive, disposed, streamFalse, resigned, detached, failed
  /// The event of a misuse, and the end of the tree: they concern no node.
  case misuseEvent, ended
  /// The call of the misuse handler, in which nothing is done.
  case misuse
}

/// One line of a transcript.
struct Line: Equatable, CustomStringConvertible {
  var moment: Moment
  /// The node it happened to, or none.
  var node = -1
  var misuse: Misuse.Kind?

  var description: String {
    misuse.map { "\(moment) \($0)" } ?? (node < 0 ? "\(moment)" : "\(node) \(moment)")
  }
}

/// Something that user code does to the tree.
enum Action: CustomStringConvertible {
  case attach(Int, to: Int)
  case detach(Int, from: Int)
  case activate(Int)
  case deactivate(Int)
  case load(Int)
  case fail(Int)
  case end

  var description: String {
    switch self {
    case .attach(let child, let parent): ".attach(\(child), to: \(parent))"
    case .detach(let child, let parent): ".detach(\(child), from: \(parent))"
    case .activate(let node): ".activate(\(node))"
    case .deactivate(let node): ".deactivate(\(node))"
    case .load(let node): ".load(\(node))"
    case .fail(let node): ".fail(\(node))"
    case .end: ".end"
    }
  }

  /// All actions on nodes numbered from zero, but for hand activation.
  static func all(nodes count: Int) -> [Action] {
    var actions: [Action] = [.end]
    for node in 0..<count {
      actions += [.deactivate(node), .fail(node)]
      for other in 0..<count { actions += [.attach(node, to: other), .detach(node, from: other)] }
    }
    return actions
  }
}
