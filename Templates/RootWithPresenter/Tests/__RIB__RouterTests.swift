import RIBs
import Testing

@testable import __Module__

@Suite("The router of __RIB__")
struct __RIB__RouterTests {
  private let dependency = __RIB__DependencyMock()

  @Test("is built with an interactor that knows it")
  func building() throws {
    let router = __RIB__Builder(dependency: dependency).build()
    let interactor = try #require(router.interactable as? __RIB__Interactor)
    #expect(interactor.router === router)
  }

  @Test("is active while its tree runs")
  @MainActor
  func running() {
    let router = __RIB__Builder(dependency: dependency).build()
    let tree = Tree(root: router)
    #expect(tree.launch())
    #expect(router.interactable.isActive)
    tree.end()
    #expect(!router.interactable.isActive)
  }
}
