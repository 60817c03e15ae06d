/// Attaches a child to the root of a tree and detaches it, again and again: what an instruction counter is pointed at.
/// With `inspected`, an inspector may show the tree, but nobody looks at it.
///
///     WatchProbe <times> [inspected]
import RIBs
import RIBsInspector

let arguments = CommandLine.arguments
if arguments.count >= 2, let times = Int(arguments[1]) {
  let inspector = arguments.last == "inspected" ? try Inspector.start() : nil
  let root = Router(interactor: Interactor())
  let tree = Tree(root: root, configuration: TreeConfiguration(inspector: inspector))
  tree.launch()
  for _ in 0..<times {
    let child = Router(interactor: Interactor())
    root.attachChild(child)
    root.detachChild(child)
  }
  tree.end()
} else {
  print("usage: WatchProbe <times> [inspected]")
}
