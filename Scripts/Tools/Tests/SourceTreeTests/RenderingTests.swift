// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceTree
import Testing

@Suite("A tree from source is written")
struct RenderingTests {
  /// Two parents of one child with its own child, a cycle, and edges of all kinds.
  private let graph = Project([
    "App/App.swift": Project.ribs("Home", "Help", "Topic", router: false) + """
      /// The whole "program" <1>.
      final class RootRouter: LaunchRouter<RootInteractable, RootViewControllable> {
        let home: HomeBuildable, help: HelpBuildable, far: FarBuildable
        func show() {
          attachChild(home.build(withListener: interactor))
          attachChild(help.build(withListener: interactor))
          attachChild(far.build())
        }
      }
      final class HomeRouter: Router<HomeInteractable> {
        let help: HelpBuildable
        func show() { attachChild(help.build(withListener: interactor)) }
      }
      final class HelpRouter: Router<HelpInteractable> {
        let topic: TopicBuildable
        func show() { attachChild(topic.build(withListener: interactor)) }
      }
      final class TopicRouter: Router<TopicInteractable> {
        let help: HelpBuildable
        func show() { attachChild(help.build(withListener: interactor)) }
      }
      final class RootComponent: Component<RootDependency>, TopicDependency {}
      """
  ]).graph

  @Test("as text, what is below a RIB once")
  func text() {
    #expect(
      Selection(graph).text() == """
        Root
        ├─ Home
        │  └─ Help
        │     └─ Topic
        │        └─ Help (a circle)
        ├─ Help (as above)
        └─ Far (not in these sources)

        """)
    #expect(
      Selection(graph, kinds: [.tree, .di], hasSummaries: true).text().contains(
        "└─ Topic (di, as above)\n"))
  }

  @Test("down to a depth, from a root, and without some RIBs")
  func parts() throws {
    #expect(
      Selection(graph, depth: 1).text() == """
        Root
        ├─ Home (1 more below)
        ├─ Help (1 more below)
        └─ Far (not in these sources)

        """)
    func named(_ name: String) throws -> Int { try #require(graph.nodes.firstIndex { $0.name == name }) }
    #expect(Selection(graph, root: try named("Topic"), depth: 0).text() == "Topic (1 more below)\n")
    #expect(
      Selection(graph, excluded: [try named("Help")]).text() == """
        Root
        ├─ Home
        └─ Far (not in these sources)

        """)
  }

  @Test("as a list, a mind map, flowcharts, a graph and a page")
  func formats() throws {
    let selection = Selection(graph, depth: 1, hasSummaries: true)
    #expect(
      selection.markdown() == """
        - Root: The whole "program" <1>
          - Home: 1 more below
          - Help: 1 more below
          - Far: not in these sources

        """)
    #expect(
      selection.plantUML() == """
        @startmindmap
        * Root\\nThe whole "program" <1>
        ** Home (1 more below)
        ** Help (1 more below)
        ** Far (not in these sources)
        @endmindmap

        """)
    #expect(
      selection.mermaid() == """
        flowchart TD
          n3["Root<br/>The whole #quot;program#quot; <1>"]
          n2["Home"]
          n1["Help"]
          n0(["Far"])
          n3 --> n2
          n3 --> n1
          n3 --> n0
          n2 --> n1

        """)
    #expect(selection.dot().contains("  n3 [label=\"Root\\nThe whole \\\"program\\\" <1>\"];\n  n2 [label=\"Home\"];"))
    #expect(Selection(graph, kinds: [.tree, .di]).dot().contains("  n3 -> n4 [style=dashed, label=\"di\"];"))
    let page = selection.html()
    #expect(page.contains("<b title=\"App/App.swift\">Root</b> <span>The whole &quot;program&quot; &lt;1&gt;</span>"))
    #expect(page.components(separatedBy: "<li>").count == page.components(separatedBy: "</li>").count)
    #expect(page.components(separatedBy: "<ul>").count == page.components(separatedBy: "</ul>").count)
    for format in SourceTreeFormat.allCases { #expect(try selection.rendered(as: format).hasSuffix("\n")) }
  }

  @Test("as JSON, for programs")
  func json() throws {
    let json = try Selection(graph, kinds: [.tree, .di]).json()
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(document["version"] as? Int == 2)
    #expect(document["roots"] as? [String] == ["Root"])
    let edges = try #require(document["edges"] as? [[String: Any]])
    #expect(edges.allSatisfy { ($0["line"] as? Int ?? 0) > 0 })
    #expect(
      edges.map { edge in ["parent", "kind", "child"].map { edge[$0] as? String ?? "" }.joined(separator: " ") } == [
        "Root tree Home", "Root tree Help", "Root tree Far", "Root di Topic", "Home tree Help", "Help tree Topic",
        "Topic tree Help",
      ])
    let ribs = try #require(document["ribs"] as? [[String: Any]])
    #expect(ribs.map { $0["name"] as? String } == ["Root", "Home", "Help", "Far", "Topic"])
    #expect(ribs.map { $0["id"] as? String } == ["Root", "Home", "Help", "Far", "Topic"])
  }

  @Test("with the children that a router builds and never attaches")
  func unattached() {
    let graph = Project([
      "App/App.swift": Project.ribs("Help", router: true) + """
        final class RootRouter: LaunchRouter<RootInteractable, RootViewControllable> {
          let help: HelpBuildable
          func show() {
            let child = help.build(withListener: interactor)
            viewController.present(child.viewControllable)
          }
        }
        final class RootComponent: Component<RootDependency>, HelpDependency {}
        """
    ]).graph
    let selection = Selection(graph, kinds: [.tree, .unattached])
    #expect(selection.text() == "Root\n└─ Help (unattached)\n")
    #expect(selection.mermaid().contains(" -. unattached .-> "))
    #expect(selection.dot().contains("label=\"unattached\""))
  }

  @Test("in the form that the name of a file tells")
  func endings() {
    let names = [
      "t.md": SourceTreeFormat.markdown, "t.json": .json, "t.mmd": .mermaid, "t.puml": .plantuml, "t.dot": .dot,
    ]
    for (name, format) in names { #expect(SourceTreeFormat(ofFile: name) == format) }
    #expect(SourceTreeFormat(ofFile: "a.b/tree") == .text)
    #expect(SourceTreeFormat(ofFile: "tree.HTML") == .html)
  }

  @Test("when thousands of RIBs stand below each other, and many below many")
  func large() {
    var text = ""
    for number in 0..<1_000 {
      text += """
        final class R\(number)Router: Router<I\(number)> {
          func show() { attachChild(R\(number + 1)Router(interactor: i)) }
        }

        """
    }
    let chain = Project(text + "final class R1000Router: Router<I1000> {}").graph
    #expect(Selection(chain).text().split(separator: "\n").count == 1_001)
    text = ""
    for number in 0..<40 {
      text += "final class R\(number)Router: Router<I\(number)> {\n  func show() {\n"
      for other in number..<40 where other > number { text += "    attachChild(R\(other)Router(interactor: i))\n" }
      text += "  }\n}\n"
    }
    // Listing each path separately would take 2 to the power of 38 lines.
    #expect(Selection(Project(text).graph).text().split(separator: "\n").count == 1 + 40 * 39 / 2)
  }
}
