import Foundation

extension Sample {
  /// All samples in the doc comments of the inspector.
  static let ofTheInspector = inComments(of: "RIBsInspector")

  /// The sample in the program that it needs.
  var inProgram: String {
    Self.program + "@MainActor func run() async throws {\n\(code.replacingOccurrences(of: "…", with: ""))\n}"
  }

  private static let program = """
    import RIBsInspector
    typealias AppComponent = EmptyComponent
    final class RootBuilder: Builder<EmptyDependency> {
      func build() -> Router<Interactor> { Router(interactor: Interactor()) }
    }
    var snapshot: TreeSnapshot { fatalError() }
    var before: TreeSnapshot { fatalError() }
    var after: TreeSnapshot { fatalError() }

    """
}
