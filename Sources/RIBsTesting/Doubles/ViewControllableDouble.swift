public import RIBs

/// A test double for a RIB's view. Subclass it and conform to the view's protocol.
open class ViewControllableDouble: RecordingDouble, ViewControllable {}
