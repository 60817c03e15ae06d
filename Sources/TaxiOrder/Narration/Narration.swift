/// Something worth telling about an order while it runs.
enum Narration {
  /// Something new is about to begin.
  case heading(String)
  /// The flow is at a stage, and what belongs to it is attached.
  case stage(Stage)
  /// A RIB has something to show.
  case line(String)
}
