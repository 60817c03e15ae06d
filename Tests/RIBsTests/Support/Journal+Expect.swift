// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension Journal {
  /// Expects that these lines were written, and no others.
  func expect(_ expected: String..., at place: SourceLocation = #_sourceLocation) {
    #expect(lines == expected, sourceLocation: place)
  }
}
