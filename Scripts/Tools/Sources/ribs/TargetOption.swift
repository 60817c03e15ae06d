// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Generation

/// Selects a target, for RIBs whose name exists in several.
struct TargetOption: ParsableArguments {
  @Option(help: "The target to search, including those that depend on it. (default: all)")
  var target: String?

  /// The workspace, focused on the target.
  func applied(to workspace: Workspace) throws -> Workspace {
    if let target { try workspace.focus(on: target) }
    return workspace
  }
}
