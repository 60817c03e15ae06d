// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Generation
import Testing

@Suite("An outline")
struct OutlineTests {
  @Test("is a nested list, with any marks and indentation, among other text")
  func entries() throws {
    let outline = try Outline(
      """
      # App

      Some words - not an entry.

      - Root (root)
        * `LoggedOut`: asks who it is (or not)
      \t+ LoggedIn (view, presenter, slot)
      \t\t1. Order
              2) Help
        - Help:
      - Other (viewless): about: all

      """)
    #expect(
      outline.entries.map { "\($0.line) \($0.parent?.text ?? "") > \($0.name)" } == [
        "5  > Root", "6 Root > LoggedOut", "7 LoggedOut > LoggedIn", "8 LoggedIn > Order", "9 LoggedIn > Help",
        "10 Root > Help", "11  > Other",
      ])
    #expect(outline.entries.map(\.hasView) == [false, false, true, false, false, false, false])
    #expect(outline.entries.map(\.isInSlot) == [false, false, true, false, false, false, false])
    #expect(outline.entries.compactMap(\.remark) == ["asks who it is (or not)", "about: all"])
    #expect(outline.entries.map(\.hasPresenter) == [false, false, true, false, false, false, false])
  }

  @Test(
    "that can't be read is refused with its line",
    arguments: [
      ("", "there is no list"), ("just words", "there is no list"), ("- Root\n  - order", "line 2: 'order' can't be"),
      ("- Root (viewles)", "line 1: 'viewles' is not known"),
      ("- Root (viewless", "line 1: '(' in 'Root (viewless' has no ')'"),
      ("- A (view, viewless)", "line 1: 'A' can't be both 'view' and 'viewless'"),
      ("- A (root, slot)", "line 1: 'A' is a root, which has no parent"),
      ("- A\n  - B (root)", "line 2: 'B' is a root, and can't be below 'A'"),
      ("- A\n  - B\n    - A", "line 3: 'A' is below itself"),
      ("- A\n  - B\n- B\n  - A", "'A' is below itself: A → B → A"),
    ])
  func refusal(text: String, reason: String) {
    let failure = #expect(throws: Failure.self) { try Outline(text) }
    #expect(failure?.status == 64)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }
}
