// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A feature that can be added to a plugin point.
///
/// The module of the feature declares it, and the program hands it to a plugin point:
///
/// ```swift
/// extension Plugin where Context == Ride, Product == String {
///   static var receipt: Plugin { Plugin("receipt", isApplicable: { $0.id > 0 }) { ride in "receipt \(ride.id)" } }
/// }
/// ```
///
/// After "Engineering scalable, isolated mobile features with plugins at Uber" (2017).
public struct Plugin<Context, Product> {
  /// The name by which the plugin is switched off, unique at its plugin point.
  public let name: String
  let isApplicable: (Context) -> Bool
  package let build: (Context) -> Product

  /// Creates a plugin.
  ///
  /// - Parameters:
  ///   - name: the name by which the plugin is switched off, unique at its plugin point.
  ///   - isApplicable: whether the feature is offered in a context. Called on the tree whenever a point is asked.
  ///   - build: builds the feature for a context: a RIB's router, or a value.
  public init(
    _ name: String, isApplicable: @escaping (_ context: Context) -> Bool = { _ in true },
    build: @escaping (_ context: Context) -> Product
  ) {
    self.name = name
    self.isApplicable = isApplicable
    self.build = build
  }
}

/// A place of a program where features are added without a change of the code around it.
///
/// The code at the point depends on the point alone, and the features depend neither on it nor on each other. Whether a
/// feature is offered is decided by a switch for its name, which a program reads from its configuration, and by the
/// feature itself:
///
/// ```swift
/// let disabled: Set<String> = ["invoice"]
/// let papers = PluginPoint<Ride, String>(
///   [Plugin("receipt") { ride in "receipt \(ride.id)" }, Plugin("invoice") { ride in "invoice \(ride.id)" }],
///   isEnabled: { name in !disabled.contains(name) })
/// print(papers.all(for: Ride(id: 17)))  // ["receipt 17"]
/// ```
///
/// A point whose features are RIBs is followed by a `ChildList` of `RIBsLists`: see <doc:PluginPoints>. The order of the
/// plugins is the order of the features.
public struct PluginPoint<Context, Product> {
  package let plugins: [Plugin<Context, Product>]
  private let isEnabled: (String) -> Bool

  /// Creates a plugin point.
  ///
  /// - Parameters:
  ///   - plugins: the plugins, in the order of their features.
  ///   - isEnabled: whether the plugin of a name is switched on. Called on the tree for each plugin whenever the point is
  ///     asked, so that a switch takes effect with the next call.
  public init(
    _ plugins: [Plugin<Context, Product>], isEnabled: @escaping (_ name: String) -> Bool = { _ in true }
  ) {
    self.plugins = plugins
    self.isEnabled = isEnabled
  }

  /// The names of all plugins, in order, also of those that are switched off.
  public var names: [String] { plugins.map(\.name) }

  /// Builds all features that are offered in a context, in order.
  ///
  /// - Complexity: linear in the number of plugins.
  public func all(for context: Context) -> [Product] { offered(in: context).map { $0.build(context) } }

  /// Builds the first feature that is offered in a context; nil if there is none.
  ///
  /// - Complexity: linear in the number of plugins. Those behind the first one are not asked.
  public func first(for context: Context) -> Product? {
    plugins.first { isEnabled($0.name) && $0.isApplicable(context) }?.build(context)
  }

  /// The plugins that are offered in a context, in order.
  package func offered(in context: Context) -> [Plugin<Context, Product>] {
    plugins.filter { isEnabled($0.name) && $0.isApplicable(context) }
  }
}
