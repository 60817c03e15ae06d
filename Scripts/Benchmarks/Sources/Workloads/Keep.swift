// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Keeps the optimizer from removing values that only a benchmark uses.
@inline(never)
@_optimize(none)
package func keep<Value>(_ value: Value) {}
