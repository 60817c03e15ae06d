/// Releases a router with everything below it in a loop.
///
/// A router owns its children. Left to itself, the release of a router would release its children from its `deinit`,
/// theirs from theirs, and overflow the stack of a deep tree. Instead, a router that goes hands its children over: each
/// is held here until its parent is gone completely, also if the parent's subclass kept the child in a property.
struct ReleaseQueue {
  /// References to routers that have no parent any more. The links of the routers are not used, because whoever else
  /// holds one of these may attach it meanwhile.
  private var waiting: [Unmanaged<RouterNode>] = []

  /// Gives up a reference to a router.
  static func release(_ node: Unmanaged<RouterNode>) {
    var node = node
    guard node._withUnsafeGuaranteedRef({ $0.firstChild }) != nil, isLast(&node) else { return node.release() }
    releaseTree(node)
  }

  /// Apart from the release of a router without children, which is the usual one and needs none of this.
  @inline(never)
  private static func releaseTree(_ root: Unmanaged<RouterNode>) {
    var releaseQueue = ReleaseQueue()
    releaseQueue.add(root)
    releaseQueue.run()
  }

  private static func isLast(_ reference: inout Unmanaged<RouterNode>) -> Bool {
    var node = reference.takeRetainedValue()
    defer { reference = .passRetained(node) }
    return isKnownUniquelyReferenced(&node)
  }

  /// Takes over a reference to a router, to be given up before those added earlier.
  mutating func add(_ node: Unmanaged<RouterNode>) { waiting.append(node) }

  /// Gives up all references held.
  mutating func run() {
    withUnsafeMutablePointer(to: &self) { releaseQueue in
      var count = 0
      while let link = releaseQueue.pointee.waiting.popLast() {
        var node = link.takeRetainedValue()
        // Only one that really goes may give up its children: who keeps a router, keeps it whole.
        if isKnownUniquelyReferenced(&node) { node.releaseQueue = releaseQueue }
        count &+= 1
        if count > 16_384, count.isMultiple(of: 1_024) { ReleaseQueue.joinFreeMemory() }
      }
    }
  }

  /// Has the allocator join the pieces that a large tree leaves, while they are in the processor's caches.
  ///
  /// The C library of GNU keeps small free pieces apart, each for a request of its own size, until one comes for more
  /// than a kilobyte. Of a million routers that leaves millions of pieces, and the next tree finds each by the one
  /// before it, in memory that no cache holds any more. Small trees find theirs in the caches, and other allocators do
  /// not keep them so.
  @inline(never)
  private static func joinFreeMemory() {
    UnsafeMutableRawPointer.allocate(byteCount: 2_048, alignment: 16).deallocate()
  }
}

extension RouterNode {
  /// Called when this is released with children: hands them to the loop that releases this, or begins one.
  final func releaseChildren() {
    if let releaseQueue {
      giveUpChildren(to: &releaseQueue.pointee)
    } else {
      var releaseQueue = ReleaseQueue()
      giveUpChildren(to: &releaseQueue)
      releaseQueue.run()
    }
  }

  private func giveUpChildren(to releaseQueue: inout ReleaseQueue) {
    while let link = lastChild {
      link._withUnsafeGuaranteedRef { child in
        // Under a test double, a child may be active although this is not.
        if child.phase == .active { RouterNode.resign(child) }
        unlink(child)
      }
      releaseQueue.add(link)
    }
  }
}
