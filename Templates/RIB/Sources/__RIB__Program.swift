#if __Main__
import RIBs

/// The program: launches a tree of __RIB__, and shuts it down.
@main
@MainActor
struct __RIB__Program {
  /// What the program provides for __RIB__.
  private final class Dependencies: __RIB__Dependency {}

  static func main() async {
    let root = __RIB__Builder(dependency: Dependencies()).build()
    let tree = Tree(root: root)
    tree.launch()
    // The tree runs: await here what ends the program.
    print(await tree.shutdown(timeout: .seconds(5)))
  }
}
#endif
