/// Something of a tree that waits away from it, and is called when it is back.
class Errand {
  /// Called on the tree's actor. What is left of this afterwards may be released on any thread.
  func returned() { fatalError("An errand is one of its subclasses.") }
}
