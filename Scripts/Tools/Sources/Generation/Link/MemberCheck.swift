import SourceModel
import SwiftSyntax

/// Distinguishes code written by a link from code changed since.
enum MemberCheck {
  /// Whether two pieces of code differ only in white space.
  static func isSame(_ node: some SyntaxProtocol, as expected: String) -> Bool {
    words(node.trimmedDescription) == words(expected)
  }

  /// Throws if code to remove has changed since it was written.
  static func refuseUnlessAsWritten(_ node: some SyntaxProtocol, as expected: String, in file: SourceFile) throws {
    guard !isSame(node, as: expected) else { return }
    let name = node.as(FunctionDeclSyntax.self)?.name.text ?? "it"
    throw Failure.refused(
      "'\(name)' (\(file.place(of: node))) has been changed since it was linked, or was written by hand",
      advice: ["take out by hand what is yours in it, or make it what a link writes:", ""]
        + expected.split(separator: "\n").map(String.init))
  }

  private static func words(_ text: String) -> [String] {
    SourceFile(path: "", text: text).syntax.tokens(viewMode: .sourceAccurate).map(\.text).filter {
      !$0.isEmpty && $0 != ","
    }
  }
}
