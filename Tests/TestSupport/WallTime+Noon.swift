// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

extension WallTime {
  /// 2026-01-01T12:00:00Z, in the past of all tests.
  package static let noon = WallTime(microsecondsSince1970: 1_767_268_800_000_000)
}
