// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Runs a closure when it is released.
final class Goodbye {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}
