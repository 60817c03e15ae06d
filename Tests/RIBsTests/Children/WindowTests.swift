import RIBs
import Testing

@Suite("The window of a list")
struct WindowTests {
  private func makeRouter(_ count: Int) -> ListRouter {
    let router = ListRouter()
    router.start()
    router.show(Array(0..<count))
    router.log.lines = []
    return router
  }

  /// Who was told, by how near it is now.
  private func told(_ parent: ListRouter) -> [String: [Int]] {
    var told: [String: [Int]] = [:]
    for line in parent.log.lines {
      let words = line.split(separator: " ")
      guard words.count == 4, words[2] == "→", let id = Int(words[0].dropLast()) else { continue }
      told[String(words[3]), default: []].append(id)
    }
    parent.log.lines = []
    return told
  }

  @Test("prepares one window ahead and half of one behind, and preloads two and a half and one and a half")
  func zones() {
    let parent = makeRouter(100)
    parent.list.setWindow(40..<50, towards: .tail)
    #expect(
      told(parent) == [
        "visible": Array(40..<50), "ready": Array(35..<40) + Array(50..<60),
        "preload": Array(25..<35) + Array(60..<75),
      ])
  }

  @Test("looks ahead in the other direction when it moves towards the head")
  func head() {
    let parent = makeRouter(100)
    parent.list.setWindow(40..<50, towards: .head)
    #expect(
      told(parent) == [
        "visible": Array(40..<50), "ready": Array(30..<40) + Array(50..<55),
        "preload": Array(15..<30) + Array(55..<65),
      ])
  }

  @Test("tells each child of each change once, the nearest first, and nobody for whom nothing changes")
  func once() {
    let parent = makeRouter(100)
    parent.list.setWindow(10..<12, towards: .tail)
    parent.log.lines = []
    parent.list.setWindow(10..<12, towards: .tail)
    #expect(parent.log.lines == [])
    parent.list.setWindow(11..<13, towards: .tail)
    #expect(
      parent.log.lines == [
        "12: ready → visible", "10: visible → ready", "14: preload → ready", "9: ready → preload",
        "17: none → preload", "7: preload → none",
      ])
  }

  @Test("stays at its positions when the list is updated, after the children were attached")
  func updated() {
    let parent = makeRouter(3)
    parent.list.setWindow(0..<1, towards: .tail)
    parent.log.lines = []
    parent.show([7, 0, 1, 2])
    #expect(
      parent.log.lines == [
        "build 7", "7 active true", "7: none → visible", "0: visible → ready", "1: ready → preload",
      ])
    parent.log.lines = []
    parent.show([])
    #expect(!parent.log.lines.contains { $0.contains("→") })
    parent.show([5])
    #expect(parent.log.lines.suffix(2) == ["5 active true", "5: none → visible"])
  }

  @Test("near nothing makes all far away")
  func empty() {
    let parent = makeRouter(10)
    parent.list.setWindow(0..<2, towards: .tail)
    parent.log.lines = []
    parent.list.setWindow(0..<0, towards: .tail)
    #expect(told(parent) == ["none": Array(0..<7)])
    parent.list.setWindow(0..<0, towards: .head)
    #expect(parent.log.lines == [])
  }

  @Test("may lie outside the list, and be as large as it likes")
  func outside() {
    let parent = makeRouter(10)
    parent.list.setWindow(100..<102, towards: .head)
    #expect(told(parent) == ["preload": [5, 6, 7], "ready": [8, 9]])
    parent.list.setWindow(Int.min..<Int.max, towards: .tail)
    #expect(told(parent) == ["visible": Array(0..<10)])
    parent.list.setWindow(-5 ..< -3, towards: .head)
    #expect(told(parent) == ["ready": [0], "preload": [1, 2], "none": Array(3..<10)])
  }

  @Test("that a child moves in its callback is told from there on, once for each change")
  func movedInside() {
    let parent = makeRouter(50)
    parent.row(10)?.onNearness = { [unowned parent] row in
      row.onNearness = { _ in }
      parent.list.setWindow(30..<32, towards: .tail)
    }
    parent.list.setWindow(10..<12, towards: .tail)
    let told = (30...31).map { "\($0): none → visible" } + [29, 32, 33].map { "\($0): none → ready" }
    #expect(
      parent.log.lines == ["10: none → visible"] + told + [27, 28, 34, 35, 36].map { "\($0): none → preload" }
        + ["10: visible → none"])
  }

  @Test("that is moved while an update is under way is told at its end")
  func movedDuringUpdate() {
    let parent = makeRouter(0)
    parent.onBuild = { router, child in
      if child.id == 0 { child.interactor.onActive = { _ in router.list.setWindow(1..<2, towards: .tail) } }
    }
    parent.show([0, 1])
    #expect(
      parent.log.lines == [
        "build 0", "build 1", "0 active true", "1 active true", "1: none → visible", "0: none → ready",
      ])
  }

  @Test("of a child that updates the list in its callback goes on with the new list")
  func updateInside() {
    let parent = makeRouter(4)
    parent.row(0)?.onNearness = { [unowned parent] row in
      row.onNearness = { _ in }
      parent.show([3])
    }
    parent.list.setWindow(0..<1, towards: .tail)
    #expect(parent.rows == ["3"])
    #expect(parent.log.lines.filter { $0.contains("→") } == ["0: none → visible", "3: none → visible"])
  }
}
