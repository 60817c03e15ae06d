/// The version of `ribs` and `ribs-live`.
let toolVersion = "0.1.0"
