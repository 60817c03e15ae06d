import SourceModel
import SourceTree

/// Which RIBs runtime some sources use: several have the same names, and differ in what they offer.
enum Runtime {
  /// What is imported beside another runtime, or is one. This one has no views, and streams of its own.
  private static let otherImports: Set<String> = [
    "CombineRIBs", "ModernRIBs", "NeedleFoundation", "ReactorKit", "RIBs_SwiftUI", "ReactiveSwift", "RxCocoa",
    "RxRelay",
    "RxSwift", "UIKit",
  ]

  /// Whether the runtime is another one, by what the files import, or because they declare it.
  static func isOther(_ files: [FileFacts]) -> Bool {
    files.contains { file in
      !otherImports.isDisjoint(with: file.imports)
        || (file.module != "RIBs" && file.types.contains { $0.kind == .class && $0.path == ["Interactor"] })
    }
  }
}

extension Rule {
  /// Whether the advice needs what this runtime alone offers or asks for.
  var isAboutThisRuntime: Bool {
    switch self {
    case .unboundTask, .endlessLoop, .groupOnTree, .missingSuperCall, .unstableIdentity: true
    default: false
    }
  }
}
