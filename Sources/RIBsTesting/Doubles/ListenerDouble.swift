/// A test double for a RIB's listener. Subclass it and conform to the listener's protocol.
open class ListenerDouble: RecordingDouble {}
