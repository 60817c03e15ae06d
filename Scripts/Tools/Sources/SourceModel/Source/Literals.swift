// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftParser
public import SwiftSyntax

extension FunctionCallExprSyntax {
  public func argument(_ label: String) -> LabeledExprSyntax? { arguments.first { $0.label?.text == label } }

  /// The value of an argument that is a string literal without interpolation.
  public func literal(_ label: String) -> String? { argument(label)?.expression.literal }
}

extension ExprSyntax {
  /// The value of a string literal without interpolation.
  public var literal: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
