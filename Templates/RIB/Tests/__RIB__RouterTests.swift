import RIBs
import RIBsTesting
import Testing

@testable import __Module__

@Suite("The router of __RIB__")
struct __RIB__RouterTests {
#if !__Root__
  private let listener = __RIB__ListenerDouble()

#endif
  @Test("is built with an interactor that knows it")
  func building() throws {
#if __Root__
    let router = __RIB__Builder(dependency: __RIB__DependencyDouble()).build()
#else
    let router = __RIB__Builder(dependency: __RIB__DependencyDouble()).build(withListener: listener)
#endif
    let interactor = try #require(router.interactable as? __RIB__Interactor)
    #expect(interactor.router === router)
#if !__Root__
    #expect(interactor.listener === listener)
#endif
  }

  @Test("runs in a tree, and leaves nothing behind")
  func running() {
    let test = TestTree()
#if __Root__
    test.launch(__RIB__Builder(dependency: __RIB__DependencyDouble()).build())
#else
    test.launch(__RIB__Builder(dependency: __RIB__DependencyDouble()).build(withListener: listener))
#endif
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
#if __Root__

  @Test("is launched by a host")
  func hosting() async throws {
    let host = await TreeHost { __RIB__Builder(dependency: __RIB__DependencyDouble()).build() }
    let isAlone = try await host.perform { root in root.children.isEmpty }
    #expect(isAlone)
    await host.shutdown(timeout: .seconds(5))
  }
#endif
}
