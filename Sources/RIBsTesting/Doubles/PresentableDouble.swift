// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A test double for an interactor's presenter. Subclass it and conform to the presenter's protocol.
open class PresentableDouble: RecordingDouble, Presentable {}
