/// Releases a router with everything below it in a loop.
///
/// A router owns its children. Left to itself, the release of a router would release its children from its `deinit`,
/// theirs from theirs, and overflow the stack of a deep tree. Instead, a router that goes hands its children over: each
/// is held here until its parent is gone completely, also if the parent's subclass kept the child in a property.
struct Reaper {
  private var first: Unmanaged<RouterNode>?
  private var last: Unmanaged<RouterNode>?

  /// Gives up a reference to a router.
  static func release(_ node: Unmanaged<RouterNode>) {
    guard node._withUnsafeGuaranteedRef({ $0.firstChild }) != nil else { return node.release() }
    var reaper = Reaper()
    reaper.add(node)
    reaper.run()
  }

  /// Takes over a reference to a router that has no parent any more.
  mutating func add(_ node: Unmanaged<RouterNode>) {
    if let last {
      last._withUnsafeGuaranteedRef { $0.nextSibling = node }
    } else {
      first = node
    }
    last = node
  }

  /// Gives up all references held.
  mutating func run() {
    withUnsafeMutablePointer(to: &self) { reaper in
      while let link = reaper.pointee.first {
        var node = link.takeRetainedValue()
        reaper.pointee.first = node.nextSibling
        if node.nextSibling == nil { reaper.pointee.last = nil }
        node.nextSibling = nil
        // Only one that really goes may give up its children: who keeps a router, keeps it whole.
        if isKnownUniquelyReferenced(&node) { node.reaper = reaper }
      }
    }
  }
}

extension RouterNode {
  /// Called when this is released: hands the children to the loop that releases this, or begins one.
  final func releaseChildren() {
    guard firstChild != nil else { return }
    if let reaper {
      giveUpChildren(to: &reaper.pointee)
    } else {
      var reaper = Reaper()
      giveUpChildren(to: &reaper)
      reaper.run()
    }
  }

  private func giveUpChildren(to reaper: inout Reaper) {
    while let link = firstChild {
      link._withUnsafeGuaranteedRef { child in
        // Under a test double, a child may be active although this is not.
        if child.phase == .active { RouterNode.resign(child) }
        unlink(child)
      }
      reaper.add(link)
    }
  }
}
