/// Keeps the optimiser from removing what only a benchmark uses.
@inline(never)
@_optimize(none)
package func keep<Value>(_ value: Value) {}
