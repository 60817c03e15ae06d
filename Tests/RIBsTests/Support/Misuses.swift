// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

/// The kinds of misuse outside any tree while a closure ran.
func misuses(_ body: () -> Void) -> [Misuse.Kind] { recordMisuses(body).map(\.kind) }
