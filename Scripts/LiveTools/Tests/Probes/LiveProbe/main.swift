// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A process that exposes its trees, and changes them on commands from standard input:
///
///     LiveProbe <directory of the socket> [count of trees] [count of leaves in each] [user]
///
/// Prints the path of its socket, and then a line for each command: `attach`, `detach`, `burst N`, `open NAME`
/// (another tree, with that name and a label), `work` (which starts a task in the last tree), `block N` (which attaches N
/// leaves to the first tree, and keeps it from answering until the next line), `wide N` (attaches N leaves at once), `stage` (a RIB with a child),
/// `rehearse` (work of the stage) and `finish` (its end), `nap SECONDS` (work that first sleeps so long), `fail` (of its
/// child, which is restarted), `misuse`, `end`.
import Foundation
import RIBs
import RIBsInspector

final class LeafInteractor: Interactor {
  override var treeSummary: String? { "in \u{1B}[31mred" }
}
final class LeafRouter: Router<LeafInteractor> {}

final class RootRouter: Router<Interactor> {
  private var leaves: [LeafRouter] = []
  let stage = StageRouter()

  init() { super.init(interactor: Interactor()) }

  func attachLeaf() {
    let leaf = LeafRouter(interactor: LeafInteractor())
    attachChild(leaf)
    leaves.append(leaf)
  }

  func work() { interactor.task { try await Task.sleep(for: .seconds(3_600)) } }

  func detachLeaf() {
    if let leaf = leaves.popLast() { detachChild(leaf) }
  }
}

if CommandLine.arguments.count > 4, let user = uid_t(CommandLine.arguments[4]) {
  guard setgid(user) == 0, setuid(user) == 0 else { fatalError("only root can become another user") }
}
let inspector = try Inspector.start(directory: CommandLine.arguments[1])
var hosts: [TreeHost<RootRouter>] = []
let counts = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
for _ in 0..<(counts.first ?? 1) {
  let configuration = TreeConfiguration(inspector: inspector, onMisuse: { _ in })
  hosts.append(
    await TreeHost(configuration: configuration) {
      let root = RootRouter()
      for _ in 0..<(counts.dropFirst().first ?? 0) { root.attachLeaf() }
      return root
    })
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
  case "work": try await hosts[hosts.count - 1].perform { $0.work() }
  case "block":
    let count = Int(words.last ?? "") ?? 0
    try await hosts[0].perform { root in
      for _ in 0..<count { root.attachLeaf() }
      _ = readLine()
    }
  case "wide":
    let count = Int(words.last ?? "") ?? 0
    try await hosts[0].perform { root in for _ in 0..<count { root.attachLeaf() } }
  case "stage":
    try await hosts[0].perform { root in
      root.attachChild(root.stage)
      root.stage.play()
    }
  case "rehearse": try await hosts[0].perform { $0.stage.interactor.rehearse() }
  case "finish": try await hosts[0].perform { $0.stage.interactor.finishRehearsal() }
  case "nap":
    let seconds = Int(words.last ?? "") ?? 0
    try await hosts[0].perform { $0.stage.interactor.nap(until: .now + .seconds(seconds)) }
  case "fail": try await hosts[0].perform { $0.stage.fail() }
  case "misuse": try await hosts[0].perform { $0.attachChild($0.stage) }
  case "end": for host in hosts { await host.shutdown() }
  default: break
  }
  say("done")
}
