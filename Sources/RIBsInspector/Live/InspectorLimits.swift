// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The resources that an inspector may use.
struct InspectorLimits {
  /// The maximum number of connected clients.
  var clients = 64
  /// The maximum number of clients that follow events. The rest of `clients` is reserved for short requests.
  var followers = 48
  /// How long a client may leave its output unread.
  var timeout = Duration.seconds(60)
  /// How long a client must leave its output unread before another client may replace it.
  var stall = Duration.seconds(1)
  /// The share of a processor that reading, encoding and sending events may use, above 0 and at most 1. Events beyond
  /// that are lost.
  var eventShare = 0.02
}
