public import RIBs

/// Stands in for an interactor's presenter. Subclass it and conform to the presenter's protocol.
open class PresentableDouble: RecordingDouble, Presentable {}
