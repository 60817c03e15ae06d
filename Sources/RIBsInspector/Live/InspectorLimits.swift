/// What an inspector may use of its process.
struct InspectorLimits {
  /// How many clients are connected at a time.
  var clients = 64
  /// How many of them follow events, so that there is always room for those that don't stay.
  var followers = 48
  /// How long a client may read nothing of what it was sent.
  var patience = Duration.seconds(60)
  /// How long a client that does not read keeps its place when others need it.
  var stall = Duration.seconds(1)
  /// The share of a processor that reading, encoding and sending events takes, from above 0 to 1. Where that isn't enough,
  /// events are lost.
  var eventShare = 0.025
}
