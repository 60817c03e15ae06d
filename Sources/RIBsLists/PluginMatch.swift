// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A plugin that is offered in a context: the model of a `ChildList` that follows a plugin point.
///
/// Its identity is the name of the plugin. So its child is detached when the plugin is no longer offered, and is notified of
/// a changed context.
public struct PluginMatch<Context>: Identifiable {
  /// The name of the plugin.
  public let name: String
  /// The context in which the plugin is offered.
  public let context: Context

  /// The name of the plugin.
  public var id: String { name }
}

extension PluginMatch: Equatable where Context: Equatable {}
extension PluginMatch: Sendable where Context: Sendable {}

extension PluginPoint {
  /// The plugins that are offered in a context, in order, without building their features: the models of a `ChildList`.
  ///
  /// - Complexity: linear in the number of plugins.
  public func matches(for context: Context) -> [PluginMatch<Context>] {
    offered(in: context).map { PluginMatch(name: $0.name, context: context) }
  }

  /// Builds the feature of a plugin that `matches(for:)` has returned; nil if it is of another point.
  ///
  /// - Complexity: linear in the number of plugins.
  public func build(_ match: PluginMatch<Context>) -> Product? {
    plugins.first { $0.name == match.name }?.build(match.context)
  }
}
