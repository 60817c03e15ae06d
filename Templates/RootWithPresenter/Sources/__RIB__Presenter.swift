import RIBs

/// Translates what __RIB__ has to show.
final class __RIB__Presenter: __RIB__Presentable {}
