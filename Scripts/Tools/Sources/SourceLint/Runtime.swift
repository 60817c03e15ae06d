import SourceModel
import SourceTree

/// Detects the RIBs runtime that sources use. Several runtimes share names but differ in API.
enum Runtime {
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
    case .unboundTask, .endlessLoop, .groupOnTree, .missingSuperCall, .unstableIdentity: true
    default: false
    }
  }
}
