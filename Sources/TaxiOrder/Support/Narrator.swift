// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Receives the output of an order's RIBs, in place of a screen.
///
/// Without a listener, as during a replay, no output is composed.
package final class Narrator {
  private let listener: ((Narration) -> Void)?

  /// - Parameter listener: called with all output; nil to discard it.
  package init(_ listener: ((Narration) -> Void)? = nil) { self.listener = listener }

  func show(_ narration: @autoclosure () -> Narration) { listener?(narration()) }

  func line(_ text: @autoclosure () -> String) { listener?(.line(text())) }
}

/// A piece of output of an order's RIBs.
package enum Narration {
  /// The heading of the next stage.
  case heading(String)
  /// The flow has entered a stage, and its RIBs are attached.
  case stage(Stage)
  /// A line that a RIB shows.
  case line(String)
}
