// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Releases a router and everything below it in a loop.
///
/// A router owns its children. Without this, the `deinit` of a router would release its children, theirs would release
/// theirs, and a deep tree would overflow the stack. Instead, a router that is released moves its children to the queue,
/// which holds each until its parent is gone, also if the parent's subclass kept the child in a property.
struct ReleaseQueue {
  /// References to routers without a parent, the next to release last. Their links are not used, because another owner may
  /// attach one of them meanwhile.
  private var waiting: [Unmanaged<RouterNode>] = []

  /// Releases a reference to a router.
  static func release(_ node: Unmanaged<RouterNode>) {
    var node = node
    guard node._withUnsafeGuaranteedRef({ $0.firstChild }) != nil, isLast(&node) else { return node.release() }
    releaseTree(node)
  }

  /// Not inlined: most routers have no children and need none of this.
  @inline(never)
  private static func releaseTree(_ root: Unmanaged<RouterNode>) {
    var queue = ReleaseQueue()
    queue.add(root)
    queue.run()
  }

  private static func isLast(_ reference: inout Unmanaged<RouterNode>) -> Bool {
    var node = reference.takeRetainedValue()
    defer { reference = .passRetained(node) }
    return isKnownUniquelyReferenced(&node)
  }

  /// Takes over a reference to a router, to be released before those added earlier.
  mutating func add(_ node: Unmanaged<RouterNode>) { waiting.append(node) }

  /// Releases all references.
  mutating func run() {
    withUnsafeMutablePointer(to: &self) { queue in
      while let link = queue.pointee.waiting.popLast() {
        var node = link.takeRetainedValue()
        // Only a router that is really released moves its children here: another owner keeps it whole.
        if isKnownUniquelyReferenced(&node) { node.enter(queue) }
      }
    }
  }
}

extension RouterNode {
  /// The loop that releases this and takes over its children. It has the place of the cursor, which cascades set anew.
  final var releaseQueue: UnsafeMutablePointer<ReleaseQueue>? {
    state.isInReleaseQueue ? cursor?.toOpaque().assumingMemoryBound(to: ReleaseQueue.self) : nil
  }

  /// Called by the loop right before it releases this. While this resigns, it needs its cursor.
  fileprivate final func enter(_ queue: UnsafeMutablePointer<ReleaseQueue>) {
    guard !state.isResigning else { return }
    state.enterReleaseQueue()
    cursor = .fromOpaque(queue)
  }

  /// Called in `deinit`: moves the children to the queue that releases this, or to a new one.
  final func releaseChildren(to queue: UnsafeMutablePointer<ReleaseQueue>?) {
    if let queue {
      moveChildren(to: &queue.pointee)
    } else {
      var queue = ReleaseQueue()
      moveChildren(to: &queue)
      queue.run()
    }
  }

  private func moveChildren(to queue: inout ReleaseQueue) {
    while let link = lastChild {
      link._withUnsafeGuaranteedRef { child in
        // Under a test double, a child may be active although this is not.
        if child.state.isActive { RouterNode.resign(child) }
        unlink(child)
      }
      queue.add(link)
    }
  }
}
