import RIBs

/// A workflow that writes its hooks to a journal.
class JournalWorkflow<Item>: Workflow<Item> {
  private let journal: Journal

  init(_ journal: Journal, timeout: Duration? = .seconds(30)) {
    self.journal = journal
    super.init(timeout: timeout)
  }

  override func didComplete() { journal.write("didComplete") }
  override func didFork() { journal.write("didFork") }
  override func didReceiveError(_ error: any Error) { journal.write("didReceiveError \(error)") }

  deinit { journal.write("workflow gone") }
}

/// A root with a child and a leaf, in a tree on the main actor.
@MainActor
struct Scene {
  let journal = Journal()
  let clock = ManualClock()
  let root = Scripted.RootRouter()
  let child = Scripted.ChildRouter()
  let leaf = Scripted.LeafRouter()
  let tree: Tree

  init() {
    var configuration = journal.configuration
    configuration.clock = clock
    configuration.leakDetection = .off
    tree = Tree(root: root, configuration: configuration)
    for (router, name) in [(root, "Root"), (child, "Child"), (leaf, "Leaf")] as [(Scripted.Router, String)] {
      router.interactor.onFail = { [journal] in journal.write("\(name) didFail \($0)") }
    }
    tree.launch()
  }

  /// What was written, without the life of the RIBs.
  var lines: [String] {
    let life = ["attached", "activated", "loaded", "resigned", "detached", "ended", "task"]
    return journal.lines.filter { line in !life.contains { line.hasPrefix($0) } }
  }
}
