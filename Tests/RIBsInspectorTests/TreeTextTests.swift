import Foundation
import RIBs
import RIBsInspector
import Testing

@Suite("A tree as text")
struct TreeTextTests {
  /// A snapshot whose RIBs are named, with the index of the parent of each.
  private func snapshot(_ nodes: [(name: String, parent: Int?)], more: String = "") throws -> TreeSnapshot {
    let json = nodes.map { node in
      let name = String(decoding: (try? JSONEncoder().encode(node.name)) ?? Data(), as: UTF8.self)
      let parent = node.parent.map { "\"parent\":\($0)," } ?? ""
      return """
        {\(parent)"name":\(name),"router":"R","interactor":"I","state":"inactive","hasView":false,\
        "tasks":[],"workers":[],\
        "subscriptions":0\(more)}
        """
    }
    let text = "{\"nodes\":[\(json.joined(separator: ","))]}"
    return try JSONDecoder().decode(TreeSnapshot.self, from: Data(text.utf8))
  }

  @Test("has no line for a tree without RIBs")
  func empty() throws {
    #expect(try snapshot([]).text() == "")
  }

  @Test("draws branches, the last child's differently, and keeps trunks open")
  func branches() throws {
    let tree = try snapshot([("Root", nil), ("A", 0), ("B", 1), ("C", 2), ("D", 1), ("E", 0), ("F", 5)])
    #expect(
      tree.text() == """
        Root        inactive
        ├─ A        inactive
        │  ├─ B     inactive
        │  │  └─ C  inactive
        │  └─ D     inactive
        └─ E        inactive
           └─ F     inactive

        """)
    #expect(
      tree.text(.ascii) == """
        Root        inactive
        |- A        inactive
        |  |- B     inactive
        |  |  `- C  inactive
        |  `- D     inactive
        `- E        inactive
           `- F     inactive

        """)
  }

  @Test("tells state, age, work, subscriptions and summary")
  func details() throws {
    let json = """
      {"nodes":[{"id":1,"name":"Root","router":"R","interactor":"I","state":"active","age":\(try encoded(.seconds(252))),\
      "hasView":false,"tasks":["A.swift:3","B.swift:4"],"workers":[],"subscriptions":1,"summary":"three left"}]}
      """
    let tree = try JSONDecoder().decode(TreeSnapshot.self, from: Data(json.utf8))
    #expect(tree.text() == "Root  active 4m 12s  2 tasks (A.swift:3, B.swift:4) · 1 subscription · three left\n")
    #expect(tree.text(.ascii) == "Root  active 4m 12s  2 tasks (A.swift:3, B.swift:4); 1 subscription; three left\n")
  }

  @Test(
    "shows an age in its two largest units",
    arguments: [
      (Duration.zero, "0s"), (.milliseconds(350), "350ms"), (.seconds(59), "59s"), (.seconds(60), "1m 0s"),
      (.seconds(3_900), "1h 5m"), (.seconds(176_400), "2d 1h"),
    ])
  func ages(age: Duration, text: String) throws {
    let tree = try snapshot([("Root", nil)], more: ",\"age\":\(try encoded(age))")
    #expect(tree.text() == "Root  inactive \(text)\n")
  }

  @Test("escapes what a terminal would act on, in names and summaries")
  func escapes() throws {
    let tree = try snapshot([("A\u{1B}[31m\n\u{202E}é", nil)], more: ",\"summary\":\"x\\u0007\\ty\"")
    #expect(tree.text() == "A\\u{1B}[31m\\n\\u{202E}é  inactive  x\\u{7}\\ty\n")
    #expect(tree.text(.ascii) == "A\\u{1B}[31m\\n\\u{202E}\\u{E9}  inactive  x\\u{7}\\ty\n")
  }

  @Test("draws a hundred thousand levels in text that grows with the number of RIBs only")
  func deep() throws {
    let count = 100_000
    let tree = try snapshot((0..<count).map { ("N", $0 == 0 ? nil : $0 - 1) })
    let lines = tree.text().split(separator: "\n")
    #expect(lines.count == count)
    #expect(lines.last?.hasSuffix("⋯ 99999 N  inactive") == true)
  }

  @Test("shows a running tree")
  func running() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    let text = await host.snapshot().text()
    #expect(text.hasPrefix("Interactor  active "))
    await host.shutdown()
  }

  private func encoded(_ duration: Duration) throws -> String {
    String(decoding: try JSONEncoder().encode(duration), as: UTF8.self)
  }
}
