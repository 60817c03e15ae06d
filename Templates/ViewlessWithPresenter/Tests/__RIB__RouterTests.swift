import RIBs
import RIBsTesting
import Testing

@testable import __Module__

@Suite("The router of __RIB__")
struct __RIB__RouterTests {
  private let listener = __RIB__ListenerDouble()

  @Test("is built with an interactor that knows it")
  func building() throws {
    let router = __RIB__Builder(dependency: __RIB__DependencyDouble()).build(withListener: listener)
    let interactor = try #require(router.interactable as? __RIB__Interactor)
    #expect(interactor.router === router)
    #expect(interactor.listener === listener)
  }

  @Test("runs in a tree, and leaves nothing behind")
  func running() {
    let test = TestTree()
    test.launch(__RIB__Builder(dependency: __RIB__DependencyDouble()).build(withListener: listener))
    test.settle()
    test.expect(
      """
      __RIB__ attached
      __RIB__ active
      __RIB__ loaded
      """)
    test.expectTree("__RIB__")
    test.finish()
  }
}
