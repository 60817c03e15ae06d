/// A process that exposes its trees, and changes them on commands from standard input:
///
///     LiveProbe <directory of the socket> [count of trees]
///
/// Prints the path of its socket, and then a line for each command: `attach`, `detach`, `burst N`, `open NAME`
/// (another tree, with that name and a label), `block` (which keeps the first tree from answering until the next line),
/// `end`.
import Foundation
import RIBs
import RIBsInspector

final class LeafInteractor: Interactor {
  override var treeSummary: String? { "in \u{1B}[31mred" }
}
final class LeafRouter: Router<LeafInteractor> {}

final class RootRouter: Router<Interactor> {
  private var leaves: [LeafRouter] = []

  init() { super.init(interactor: Interactor()) }

  func attachLeaf() {
    let leaf = LeafRouter(interactor: LeafInteractor())
    attachChild(leaf)
    leaves.append(leaf)
  }

  func detachLeaf() {
    if let leaf = leaves.popLast() { detachChild(leaf) }
  }
}

let inspector = try Inspector.start(directory: CommandLine.arguments[1])
var hosts: [TreeHost<RootRouter>] = []
for _ in 0..<(CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 1 : 1) {
  hosts.append(await TreeHost(configuration: TreeConfiguration(inspector: inspector)) { RootRouter() })
}

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

say(inspector.socketPath)
while let line = readLine() {
  let words = line.split(separator: " ")
  switch words.first {
  case "attach": try await hosts[0].perform { $0.attachLeaf() }
  case "detach": try await hosts[0].perform { $0.detachLeaf() }
  case "burst":
    let count = Int(words.last ?? "") ?? 0
    for _ in 0..<count {
      try await hosts[0].perform { root in
        root.attachLeaf()
        root.detachLeaf()
      }
    }
  case "open":
    let configuration = TreeConfiguration(
      name: words.last.map(String.init), labels: ["plan": "free"], inspector: inspector)
    hosts.append(await TreeHost(configuration: configuration) { RootRouter() })
  case "block": try await hosts[0].perform { _ in _ = readLine() }
  case "end": for host in hosts { await host.shutdown() }
  default: break
  }
  say("done")
}
