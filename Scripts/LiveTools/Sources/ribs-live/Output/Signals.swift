// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Signals that wake the waiting command.
enum Signals {
  /// Runs a closure when a signal arrives, instead of the signal's default action.
  static func source(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceProtocol {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: body)
    source.activate()
    return source
  }

  static func everySecond(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(deadline: .now() + 1, repeating: 1)
    source.setEventHandler(handler: body)
    source.activate()
    return source
  }
}
