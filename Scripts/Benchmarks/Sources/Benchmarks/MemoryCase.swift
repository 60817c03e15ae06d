import Foundation
import RIBs

/// Memory of a live RIB, beside that of the same objects linked by hand. Runs first, while the heap is fresh.
@MainActor
func memoryCase() throws {
  let count = 500_000
  let parent = BareParent()
  var routers: [BareRouter] = []
  routers.reserveCapacity(count)
  let bare = try grown(by: count) { for _ in 0..<count { routers.append(buildBare(parent)) } }
  let root = RootRouter()
  let tree = Tree(root: root)
  tree.launch()
  let ours = try grown(by: count) { root.attach(count) }
  report("memory of a live RIB", ours, bare, unit: "bytes")
  keep(routers)
  tree.end()
}

/// How much more memory is resident after the closure, for each of `count` objects.
private func grown(by count: Int, _ body: () -> Void) throws -> Double {
  let before = try residentBytes()
  body()
  return Double(try residentBytes() - before) / Double(count)
}

/// What the kernel says of this process (Linux).
private func residentBytes() throws -> Int {
  let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
  return (Int(pages) ?? 0) * 4_096
}
