// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import TestSupport
import Testing

@Suite("A tree as a page", .serialized, .onOwnThread)
struct TreePageTests {
  @Test("is self-contained: it references no file, and forbids network access")
  func alone() throws {
    let page = try TreeSnapshot.sample().html(title: "Tea & <biscuits>")
    #expect(page.hasPrefix("<!DOCTYPE html>\n"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""))
    #expect(page.contains("<title>Tea &amp; &lt;biscuits&gt;</title>"))
    for word in ["http:", "https:", " src=", " href=", "url(", "@import"] { #expect(!page.contains(word)) }
  }

  @Test("holds the snapshot as JSON, whatever the names")
  func data() throws {
    for tree in [try TreeSnapshot.sample(), try .hostile()] {
      let page = tree.html()
      #expect(page.components(separatedBy: "</script>").count == 4)
      let json = page.components(separatedBy: "id=\"snapshot\">\n")[1].components(separatedBy: "\n</script>")[0]
      #expect(try TreeSnapshot(json: json) == tree)
    }
  }

  @Test("shows every RIB with its details", .needsBrowser)
  func rows() throws {
    let seen: [[String]] = try Browser.open(
      TreeSnapshot.sample().html(),
      use: """
        const rows = all(".row").map((row) => [row.getAttribute("aria-level"), row.innerText.replace(/\\s+/g, " ").trim()]);
        click(all(".row")[1]);
        const terms = all("#details dt").map((term) => term.innerText + ": " + term.nextSibling.innerText);
        return [...rows, ["", document.getElementById("count").innerText], terms];
        """)
    #expect(
      seen == [
        ["1", "Root 4m 12s"], ["2", "LoggedIn 350ms 2 tasks 1 worker 1 subscription three left"],
        ["3", "Order inactive"],
        ["2", "Promo resigning 3s"], ["", "4 RIBs"],
        [
          "State: active", "Active for: 350ms", "Summary: three left", "Router: R", "Interactor: I", "View: yes",
          "Tasks: A.swift:3\nreload (B.swift:4)", "Workers: Locator", "Subscriptions: 1", "Children: 1",
          "RIBs below: 1",
          "Id: #2",
        ],
      ])
  }

  @Test("folds and unfolds with the mouse and with the keyboard", .needsBrowser)
  func folding() throws {
    let seen: [[String]] = try Browser.open(
      TreeSnapshot.sample().html(),
      use: """
        const names = () => all(".row .name").map((name) => name.textContent);
        const chosen = () => all("[aria-selected=true] .name").map((name) => name.textContent);
        const tree = document.getElementById("tree");
        const steps = [];
        click(all(".row")[1].querySelector(".twist")); steps.push(names());
        click(all(".row")[1].querySelector(".twist")); steps.push(names());
        click(document.getElementById("fold")); steps.push(names());
        click(document.getElementById("unfold")); steps.push(names());
        tree.focus();
        for (const key of ["Home", "ArrowDown", "ArrowLeft"]) press(key);
        steps.push(names(), chosen());
        for (const key of ["ArrowRight", "ArrowRight"]) press(key);
        steps.push(names(), chosen());
        press("ArrowLeft"); steps.push(chosen());
        press("Enter"); steps.push(names());
        press("End"); steps.push(chosen());
        press("ArrowUp"); steps.push(chosen());
        steps.push([tree.getAttribute("aria-activedescendant"), all(".row")[1].getAttribute("aria-expanded")]);
        return steps;
        """)
    let everything = ["Root", "LoggedIn", "Order", "Promo"]
    let folded = ["Root", "LoggedIn", "Promo"]
    #expect(
      seen == [
        folded, everything, ["Root"], everything, folded, ["LoggedIn"], everything, ["Order"], ["LoggedIn"], folded,
        ["Promo"], ["LoggedIn"], ["rib1", "false"],
      ])
  }

  @Test("can be searched and filtered, and shows the ancestors of matches", .needsBrowser)
  func searching() throws {
    let seen: [[String]] = try Browser.open(
      TreeSnapshot.sample().html(),
      use: """
        const names = () => all(".row").map((row) =>
          row.querySelector(".name").textContent + (row.classList.contains("beside") ? "" : "!"));
        const count = () => document.getElementById("count").textContent;
        const [search, state, working] = ["search", "state", "working"].map((id) => document.getElementById(id));
        const steps = [];
        document.getElementById("fold").click();
        press("/", document.body); steps.push([document.activeElement.id]);
        type("ORD", search); steps.push(names(), [count()], all("mark").map((mark) => mark.textContent));
        type("locat", search); steps.push(names());
        type("three LEFT", search); steps.push(names());
        type("#4", search); steps.push(names());
        type("nothing", search); steps.push([document.getElementById("rows").innerText, count()]);
        press("Escape", search); steps.push([search.value, document.activeElement.id]);
        state.value = "resigning"; state.dispatchEvent(new Event("change")); steps.push(names());
        state.value = ""; working.checked = true; working.dispatchEvent(new Event("change")); steps.push(names());
        return steps;
        """)
    #expect(
      seen == [
        ["search"], ["Root", "LoggedIn", "Order!"], ["1 of 4 RIBs"], ["Ord"], ["Root", "LoggedIn!"],
        ["Root", "LoggedIn!"],
        ["Root", "Promo!"], ["Nothing found.", "0 of 4 RIBs"], ["", "tree"], ["Root", "Promo!"], ["Root", "LoggedIn!"],
      ])
  }

  @Test("runs no script and builds no element from a name", .needsBrowser)
  func hostile() throws {
    struct Seen: Decodable {
      let names: [String]
      let elements: [String]
      let title: String
      let alerted: Bool
    }
    let tree = try TreeSnapshot.hostile()
    let seen: Seen = try Browser.open(
      tree.html(title: "</title><script>alert(1)</script>"),
      head: "<script>window.alerted = false; window.alert = () => { window.alerted = true; };</script>",
      use: """
        document.getElementById("tree").style.height = "5000px";
        document.getElementById("tree").style.flex = "none";
        dispatchEvent(new Event("resize"));
        for (const row of all(".row")) click(document.getElementById(row.id));
        return {
          names: all(".row .name").map((name) => name.textContent),
          elements: [...new Set(all("#rows *, #details *").map((element) => element.localName))].sort(),
          title: document.title, alerted: window.alerted,
        };
        """)
    #expect(seen.names.count == tree.nodes.count)
    for (shown, node) in zip(seen.names, tree.nodes) where node.name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
      if !["\u{7F}", "\u{202E}desrever", "\u{2028}"].contains(node.name) { #expect(shown == node.name) }
    }
    #expect(seen.names.contains("\\u{202E}desrever"))
    #expect(seen.elements == ["dd", "div", "dl", "dt", "h2", "p", "span"])
    #expect(seen.title == "</title><script>alert(1)</script>")
    #expect(!seen.alerted)
  }

  @Test("draws only the visible rows of ten thousand RIBs", .needsBrowser)
  func many() throws {
    struct Seen: Decodable {
      let folded: Int
      let drawn: Int
      let last: String
      let found: [String]
    }
    let seen: Seen = try Browser.open(
      TreeSnapshot.wide(10_000).html(),
      use: """
        const height = () => parseInt(document.getElementById("rows").style.height) / 28;
        const folded = height();
        document.getElementById("unfold").click();
        document.getElementById("tree").focus();
        press("End");
        const last = all("[aria-selected=true] .name")[0].textContent + " of " + height();
        const drawn = all(".row").length;
        type("rib9999", document.getElementById("search"));
        const found = all(".row .name").map((name) => name.textContent);
        return { folded, drawn, last, found };
        """)
    #expect(seen.folded == 1111)
    #expect(seen.drawn < 80)
    #expect((seen.last, seen.found) == ("Rib1110 of 10000", ["Rib0", "Rib9", "Rib99", "Rib999", "Rib9999"]))
  }

  @Test("shows how many RIBs were omitted, or that there are none", .needsBrowser)
  func depth() throws {
    let seen: [String] = try Browser.open(
      TreeSnapshot.sample().html(depth: 1),
      use: "return all('.row').map((row) => row.innerText.replace(/\\s+/g, ' ').trim());")
    #expect(
      seen == [
        "Root 4m 12s", "LoggedIn 350ms 2 tasks 1 worker 1 subscription 1 more below three left", "Promo resigning 3s",
      ])
    let empty: [String] = try Browser.open(
      TreeSnapshot([]).html(), use: "return [document.getElementById('rows').innerText];")
    #expect(empty == ["There are no RIBs."])
  }
}
