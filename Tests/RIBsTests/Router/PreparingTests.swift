import RIBs
import Testing

@Suite("A child that is prepared")
struct PreparingTests {
  /// Says what becomes of it, wherever that is.
  private final class PreparedRouter: Router<Scripted.Interactor> {
    let name: String
    private let journal: Journal

    init(_ name: String, _ journal: Journal) {
      self.name = name
      self.journal = journal
      super.init(interactor: Scripted.Interactor())
      interactor.onActive = { _ in journal.write("\(name) active") }
    }

    deinit { journal.write("\(name) gone") }
  }

  @Test("is built off the tree, connected on it, and then attached with all that is below it")
  func built() async {
    let home = QueueActor()
    let journal = Journal()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { [unowned root] _ in
        let admission = root.attach(
          preparing: {
            journal.write("built at home: \(home.isCurrent)")
            let top = PreparedRouter("top", journal)
            top.attachChild(PreparedRouter("below", journal))
            return top
          }
        ) { child in
          journal.write("connected at home: \(home.isCurrent), active: \(child.interactor.isActive)")
        }
        journal.write("\(admission)")
      }
      return root
    }
    await journal.wait(for: "below active")
    #expect(
      journal.lines == [
        "started", "built at home: false", "connected at home: true, active: false", "top active", "below active",
      ])
    await home.shutdown()
    #expect(journal.lines.suffix(2).sorted() == ["below gone", "top gone"])
  }

  @Test(
    "is discarded, and never attached, when the scope has ended meanwhile, also if it is active again",
    arguments: [false, true], [false, true])
  @MainActor
  func late(isActiveAgain: Bool, isDeaf: Bool) async {
    let journal = Journal()
    let gate = Gate()
    let (root, parent) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree(root: root)
    tree.launch()
    root.attachChild(parent)
    parent.attach(
      preparing: {
        if isDeaf { await gate.passStubbornly() } else { await gate.pass() }
        return PreparedRouter("late", journal)
      }
    ) { _ in journal.write("connected") }
    root.detachChild(parent)
    if isActiveAgain { root.attachChild(parent) }
    gate.open()
    await journal.wait(for: "late gone")
    let report = await tree.shutdown()
    #expect(report.stuck.isEmpty)
    #expect(journal.lines == ["late gone"])
    #expect(parent.children.isEmpty)
  }

  @Test("takes the place of the one that was asked for before under the same name")
  @MainActor
  func replaced() async {
    let journal = Journal()
    let gate = Gate()
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    var admissions: [Admission] = []
    for name in ["first", "second"] {
      admissions.append(
        root.attach(
          "detail", overlap: .cancelPrevious,
          preparing: {
            if name == "first" { await gate.passStubbornly() }
            return PreparedRouter(name, journal)
          }))
    }
    await journal.wait(for: "second active")
    gate.open()
    await journal.wait(for: "first gone")
    #expect(admissions == [.started, .replaced])
    #expect(root.children.map { ($0 as? PreparedRouter)?.name } == ["second"])
    #expect(
      root.attach("detail", overlap: .ignoreWhileRunning, preparing: { PreparedRouter("third", journal) }) == .started)
    await journal.wait(for: "third active")
    await tree.shutdown()
  }

  @Test("that can't be built fails as other work does")
  @MainActor
  func failure() async {
    let root = Scripted.RootRouter()
    let (errors, error) = AsyncStream<String>.makeStream()
    root.interactor.onFail = { error.yield("\($0)") }
    let tree = Tree(root: root)
    tree.launch()
    root.attach(preparing: { () throws -> sending PreparedRouter in throw Failure() })
    #expect(await first(of: errors) == "Failure")
    #expect(root.children.isEmpty)
    await tree.shutdown()
  }

  @Test("is not begun without an active interactor in a tree, and that is reported")
  func refused() {
    let journal = Journal()
    func attach(to router: RouterNode) -> [Misuse.Kind] {
      misuses {
        #expect(router.attach(preparing: { PreparedRouter("none", journal) }) == .inactive)
        #expect(router.attach("key", overlap: .enqueue, preparing: { PreparedRouter("none", journal) }) == .inactive)
        #expect(router.attachChildren(for: 0..<3) { _ in Scripted.LeafRouter() } == .inactive)
      }
    }
    let inactive = Scripted.RootRouter()
    #expect(attach(to: inactive) == [.workOfInactive, .workOfInactive, .workOfInactive])
    inactive.interactor.activate()
    #expect(attach(to: inactive) == [.workOutsideTree, .workOutsideTree, .workOutsideTree])
    #expect(attach(to: Router<any Interactable>(interactor: Double())) == Array(repeating: .workOutsideTree, count: 3))
    #expect(inactive.children.isEmpty)
    #expect(journal.lines.isEmpty)
  }

  private final class Double: Interactable {
    var isActive: Bool { true }
    var isActiveStream: Observable<Bool> { .just(true) }
    func activate() {}
    func deactivate() {}
  }
}
