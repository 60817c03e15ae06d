// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The version of `ribs` and `ribs-live`.
let toolVersion = "0.1.0"
