#if __Plugin__
import RIBs

/// What a plugin point passes to __RIB__.
struct __RIB__PluginContext {
  let dependency: any __RIB__Dependency
  let listener: any __RIB__Listener
}

extension Plugin where Context == __RIB__PluginContext, Product == any Routing {
  /// Offers __RIB__ at a plugin point. The name switches it off.
  static var __rib__: Plugin {
    Plugin("__rib__") { context in
      __RIB__Builder(dependency: context.dependency).build(withListener: context.listener)
    }
  }
}
#endif
