/// A piece of output of an order's RIBs.
package enum Narration {
  /// The heading of the next stage.
  case heading(String)
  /// The flow has entered a stage, and its RIBs are attached.
  case stage(Stage)
  /// A line that a RIB shows.
  case line(String)
}
