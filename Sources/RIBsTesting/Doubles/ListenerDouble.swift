// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A test double for a RIB's listener. Subclass it and conform to the listener's protocol.
open class ListenerDouble: RecordingDouble {}
