// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection whose client does not read its answers: of what waits to be sent, nothing is sent for some time.
///
/// Such a client would keep its connection for ever, because only a connection without a request is idle.
final class UnreadAnswers: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let patience: TimeAmount
  /// Not nil while the buffer of the connection is full.
  private var timer: Scheduled<Void>?

  init(patience: Duration) { self.patience = TimeAmount(patience) }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = context.channel.isWritable ? nil : startTimer(context, unsent(context))
    context.fireChannelWritabilityChanged()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  /// - Parameter count: the number of bytes that are not sent now.
  private func startTimer(_ context: ChannelHandlerContext, _ count: Int) -> Scheduled<Void> {
    context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
      let rest = self.unsent(context)
      if rest < count { self.timer = self.startTimer(context, rest) } else { context.close(promise: nil) }
    }
  }

  private func unsent(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
