/// Finds elements by their identity.
///
/// Each slot of the table is zero, or half of the hash and the number of an element, plus one. Identities are compared
/// only if that half is the same.
@usableFromInline
struct IdentityTable<ID: Hashable> {
  @usableFromInline let slots: UnsafeMutablePointer<UInt64>
  @usableFromInline let mask: Int
  @usableFromInline let seed: UInt64
  @usableFromInline let factor: UInt64

  /// - Parameters:
  ///   - slots: zero all; more than there will be elements.
  ///   - mask: the number of slots, a power of two, less one.
  @inlinable
  init(slots: UnsafeMutablePointer<UInt64>, mask: Int) {
    self.slots = slots
    self.mask = mask
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
    let tag = hash & ~0xFFFF_FFFF
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 {
        if let number { slots[slot] = tag | UInt64(truncatingIfNeeded: number + 1) }
        return -1
      }
      if entry & ~0xFFFF_FFFF == tag {
        let found = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1
        if identity(found) == id { return found }
      }
      slot = (slot + 1) & mask
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
