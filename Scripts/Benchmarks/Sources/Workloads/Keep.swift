/// Keeps the optimizer from removing values that only a benchmark uses.
@inline(never)
@_optimize(none)
package func keep<Value>(_ value: Value) {}
