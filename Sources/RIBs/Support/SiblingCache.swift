// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What was found for the types of RIBs while a tree is walked.
struct SiblingCache<Key: Hashable, Value> {
  private var known: [Key: Value] = [:]
  /// The most recent: siblings often have the same types.
  private var last: (key: Key, value: Value)?

  mutating func value(of key: Key, _ find: () -> Value) -> Value {
    if let last, last.key == key { return last.value }
    let value = known[key] ?? find()
    known[key] = value
    last = (key, value)
    return value
  }
}
