// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import SourceTree

/// Detects the RIBs runtime that sources use. Several runtimes share names but differ in API.
package enum Runtime: Sendable {
  /// This package.
  case this
  /// Another implementation of RIBs.
  case other

  /// Words in manifests of packages and projects that depend on another runtime.
  private static let otherPackages = [
    "uber/RIBs", "RIBs-iOS", "ModernRIBs", "CombineRIBs", "pod 'RIBs'", "pod \"RIBs\"", "NeedleFoundation",
    "uber/needle",
    "WikipediaBrown/napkin",
  ]

  /// The runtime on which a manifest depends: a `Package.swift`, a `Podfile`, or the file of an Xcode project.
  ///
  /// - Returns: nil if it names none.
  package init?(manifest text: String) {
    if text.contains("swift-ribs") {
      self = .this
    } else if Self.otherPackages.contains(where: text.contains) {
      self = .other
    } else {
      return nil
    }
  }

  /// The names of packages of other runtimes, in lower case.
  private static let otherNames: Set<String> = [
    "ribs", "ribs-ios", "modernribs", "combineribs", "needle", "napkin",
  ]

  /// The runtime on which a target depends.
  ///
  /// - Parameter packages: the names of the packages of its products.
  /// - Returns: nil if it depends on none, or on several.
  package init?(packages: [String]) {
    let names = Set(packages.map { $0.lowercased() })
    switch (names.contains("swift-ribs"), !names.isDisjoint(with: Self.otherNames)) {
    case (true, false): self = .this
    case (false, true): self = .other
    default: return nil
    }
  }

  /// Modules of other runtimes, or imported along with them. This runtime has its own streams.
  private static let otherImports: Set<String> = [
    "CombineRIBs", "ModernRIBs", "NeedleFoundation", "ReactorKit", "RIBs_SwiftUI", "ReactiveSwift", "RxCocoa",
    "RxRelay", "RxSwift", "napkin",
  ]

  /// The runtime of each file, by path. A runtime that is not known is inferred from the imports of the module, and
  /// then from those of all modules.
  ///
  /// - Parameter known: the runtime that a file is known to use; nil if it is unknown.
  static func inferred(for files: [FileFacts], known: (FileFacts) -> Runtime?) -> [String: Runtime] {
    let isOtherSomewhere = files.contains(where: \.belongsToOtherRuntime)
    let others = Set(files.filter { $0.belongsToOtherRuntime || $0.imports.contains("UIKit") }.map(\.module))
    return Dictionary(
      files.map { file in
        (file.path, known(file) ?? (isOtherSomewhere || others.contains(file.module) ? .other : .this))
      }
    ) { first, _ in first }
  }

  fileprivate static func isOther(_ file: FileFacts) -> Bool {
    !otherImports.isDisjoint(with: file.imports)
      || (file.module != "RIBs" && file.types.contains { $0.kind == .class && $0.path == ["Interactor"] })
  }
}

extension FileFacts {
  /// Whether it imports or declares another runtime.
  fileprivate var belongsToOtherRuntime: Bool { Runtime.isOther(self) }
}

extension Rule {
  /// Whether the rule applies to this runtime's API only.
  var isAboutThisRuntime: Bool {
    switch self {
    case .unboundTask, .endlessLoop, .groupOnTree, .executorOffTree, .isolatedDeinit, .missingSuperCall,
      .unstableIdentity, .unsavedChildren, .resetSavedState, .savedNodeID:
      true
    default: false
    }
  }
}
