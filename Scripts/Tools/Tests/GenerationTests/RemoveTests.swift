import Foundation
import Support
import Testing

@testable import Generation

@Suite("Removing")
struct RemoveTests {
  private let folder = TemporaryFolder()

  private func remove(_ name: String, unlinks: Bool, in workspace: Workspace) throws -> [String] {
    var remove = Remove(name: try RIBName(name))
    remove.unlinks = unlinks
    return try remove.apply(to: workspace)
  }

  @Test("deletes the files of a RIB and takes it from its parents, and names what is left")
  func linked() throws {
    var sample = SampleParent()
    sample.others["Detail/README.txt"] = "words"
    let workspace = try sample.workspace(in: folder)
    let before = try workspace.plan()
    _ = try SampleParent.link().apply(to: workspace)
    let failure = #expect(throws: Failure.self) { try remove("Detail", unlinks: false, in: workspace) }
    #expect(failure?.message.contains("'Detail' is linked to 'Home'") == true)
    #expect(try remove("Detail", unlinks: true, in: workspace) == ["left where it is: Detail/README.txt"])
    #expect(before.changes.isEmpty)
    #expect(
      try workspace.plan().changes.map(\.path) == ["Detail/DetailBuilder.swift", "Detail/DetailListener.swift"])
  }

  @Test("names the children that have no parent any more")
  func orphans() throws {
    let workspace = try SampleParent().workspace(in: folder)
    _ = try SampleParent.link().apply(to: workspace)
    #expect(try remove("Home", unlinks: false, in: workspace) == ["'Detail' has no parent now"])
    #expect(workspace.sourcePaths == ["Detail/DetailBuilder.swift", "Detail/DetailListener.swift"])
  }

  @Test("is refused while other code uses a type of the RIB, with the places")
  func used() throws {
    var sample = SampleParent()
    sample.others["Other.swift"] = "\nlet builder: DetailBuilder? = nil\n"
    let workspace = try sample.workspace(in: folder)
    let failure = #expect(throws: Failure.self) { try remove("Detail", unlinks: true, in: workspace) }
    #expect(failure?.message.contains("Other.swift:2: DetailBuilder") == true)
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test("leaves the files of a RIB whose folder is in the RIB's, whatever their names are")
  func nestedFolder() throws {
    for (name, path) in [("Home", "Home/HomeBuilder.swift"), ("HomeList", "Home/HomeList/HomeListBuilder.swift")] {
      try folder.write(SmallRIB.file(name, []), to: path)
    }
    try folder.write("final class Row {}\n", to: "Home/HomeList/Row.swift")
    try folder.write("final class Header {}\n", to: "Home/Header.swift")
    let workspace = Workspace(root: folder.url)
    #expect(try remove("Home", unlinks: false, in: workspace) == [])
    #expect(workspace.sourcePaths == ["Home/HomeList/HomeListBuilder.swift", "Home/HomeList/Row.swift"])
  }
}
