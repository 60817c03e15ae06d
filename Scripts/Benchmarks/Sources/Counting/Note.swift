// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Prints a line to standard error: progress, or what is wrong.
public func note(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
