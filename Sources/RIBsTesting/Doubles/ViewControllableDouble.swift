// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A test double for a RIB's view. Subclass it and conform to the view's protocol.
open class ViewControllableDouble: RecordingDouble, ViewControllable {}
