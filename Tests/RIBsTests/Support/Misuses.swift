import RIBs
import RIBsTesting

/// The kinds of misuse outside any tree while a closure ran.
func misuses(_ body: () -> Void) -> [Misuse.Kind] { recordMisuses(body).map(\.kind) }
