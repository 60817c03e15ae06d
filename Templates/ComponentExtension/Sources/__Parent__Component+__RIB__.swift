import RIBs

/// What __RIB__ gets from __Parent__.
extension __Parent__Component: __RIB__Dependency {}
