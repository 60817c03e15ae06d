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

  /// Modules of other runtimes, or imported along with them. This runtime has no views, and its own streams.
  private static let otherImports: Set<String> = [
    "CombineRIBs", "ModernRIBs", "NeedleFoundation", "ReactorKit", "RIBs_SwiftUI", "ReactiveSwift", "RxCocoa",
    "RxRelay",
    "RxSwift", "UIKit",
  ]

  /// Whether the files import or declare another runtime.
  static func isOther(_ files: [FileFacts]) -> Bool {
    files.contains { file in
      !otherImports.isDisjoint(with: file.imports)
        || (file.module != "RIBs" && file.types.contains { $0.kind == .class && $0.path == ["Interactor"] })
    }
  }
}

extension Rule {
  /// Whether the rule applies to this runtime's API only.
  var isAboutThisRuntime: Bool {
    switch self {
    case .unboundTask, .endlessLoop, .groupOnTree, .missingSuperCall, .unstableIdentity, .unsavedChildren,
      .resetSavedState, .savedNodeID:
      true
    default: false
    }
  }
}
