/// Finds elements by their identity.
///
/// Each slot of the table is zero, or the number of an element, plus one, in as many bits as tell the slots apart, and bits
/// of its hash in the others. Identities are compared only if those bits are the same.
@usableFromInline
struct IdentityTable<ID: Hashable> {
  @usableFromInline let slots: UnsafeMutablePointer<UInt32>
  @usableFromInline let mask: UInt32
  @usableFromInline let seed: UInt64
  @usableFromInline let factor: UInt64

  /// - Parameters:
  ///   - slots: zero all; more than there will be elements.
  ///   - mask: the number of slots, a power of two, less one.
  @inlinable
  init(slots: UnsafeMutablePointer<UInt32>, mask: Int) {
    self.slots = slots
    self.mask = UInt32(truncatingIfNeeded: mask)
    // Unknown outside the process, so that nobody can choose identities that collide.
    seed = UInt64(truncatingIfNeeded: 0.hashValue)
    factor = UInt64(truncatingIfNeeded: 1.hashValue) | 1
  }

  /// Finds an element.
  ///
  /// - Parameters:
  ///   - id: the identity to look for.
  ///   - number: the element to add if there is none.
  ///   - identity: the identity of an element that was added.
  /// - Returns: the number of the element found, or -1.
  @inlinable
  @inline(__always)
  func find(_ id: ID, orAdd number: Int?, _ identity: (Int) -> ID) -> Int {
    let hash = hash(id)
    let tag = UInt32(truncatingIfNeeded: hash >> 32) & ~mask
    var slot = UInt32(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[Int(slot)]
      if entry == 0 {
        if let number { slots[Int(slot)] = tag | UInt32(truncatingIfNeeded: number + 1) }
        return -1
      }
      if entry & ~mask == tag {
        let found = Int(truncatingIfNeeded: entry & mask) - 1
        if identity(found) == id { return found }
      }
      slot = (slot &+ 1) & mask
    }
  }

  /// Integers are hashed by a multiplication whose halves are folded, which is several times as fast as what the standard
  /// library does, and good enough with a secret factor.
  @inlinable
  @inline(__always)
  func hash(_ id: ID) -> UInt64 {
    if ID.self == Int.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self))) }
    if ID.self == UInt.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: UInt.self))) }
    if ID.self == Int64.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int64.self))) }
    if ID.self == UInt64.self { return fold(unsafeBitCast(id, to: UInt64.self)) }
    if ID.self == Int32.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int32.self))) }
    if ID.self == UInt32.self { return fold(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: UInt32.self))) }
    return UInt64(truncatingIfNeeded: id.hashValue)
  }

  @inlinable
  @inline(__always)
  func fold(_ value: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
