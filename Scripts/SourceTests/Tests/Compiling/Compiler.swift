// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compiles snippets against the module under test, to see what does not compile.
struct Compiler {
  private let path: String
  private let modules: String

  /// Nil where there is no compiler, or no module, beside the running tests.
  init?() {
    let files = FileManager.default
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard let path = folders.map({ "\($0)/swiftc" }).first(where: files.isExecutableFile) else { return nil }
    // The test binary lies in the folder of its build, with the modules beside it; on Apple platforms in a bundle.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<4 {
      let modules = folder.appendingPathComponent("Modules").path
      if files.fileExists(atPath: modules + "/RIBs.swiftmodule") {
        self.path = path
        self.modules = modules
        return
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// A language mode, with the upcoming features of a target.
  struct Mode: Sendable {
    var version = 6
    var features: [String] = []
  }

  /// Type-checks a file, and returns what the compiler says; empty if it says nothing.
  func check(_ source: String, _ mode: Mode = Mode()) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).swift")
    try Data(("import RIBs; import RIBsLists; import RIBsStore\n" + source).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    // Region isolation is checked after type checking, so the file is compiled, and thrown away.
    process.arguments = [
      "-emit-sil", "-diagnostic-style", "llvm", "-o", "/dev/null", "-swift-version", "\(mode.version)",
      "-parse-as-library", "-I", modules, file.path,
    ]
    process.arguments? += mode.features.flatMap { ["-enable-upcoming-feature", $0] }
    let output = Pipe()
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    try process.run(forAtMost: 900)
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// Compiles snippets in one file, each in a type of its own, which takes about as long as one of them.
  ///
  /// - Parameter declarations: whole lines that all snippets use.
  /// - Returns: what the compiler says of each.
  func check(_ snippets: [String], beside declarations: String = "", _ mode: Mode = Mode()) throws -> [String] {
    var source = declarations
    var ends: [Int] = []
    // The file begins with an import.
    var line = 1 + declarations.count { $0 == "\n" }
    for (index, snippet) in snippets.enumerated() {
      source += "enum Snippet\(index) {\n\(snippet)\n}\n"
      line += snippet.split(separator: "\n", omittingEmptySubsequences: false).count + 2
      ends.append(line)
    }
    var results = [String](repeating: "", count: snippets.count)
    // An error in a macro is placed by a note that follows it.
    var block = ""
    func place(_ text: Substring) -> Int? {
      guard let match = text.firstMatch(of: #/\.swift:([0-9]+):[0-9]+: /#), let line = Int(match.1) else { return nil }
      return ends.firstIndex { line <= $0 }
    }
    for text in try check(source, mode).split(separator: "\n") {
      let isNew = text.contains(": error: ") || text.contains(": warning: ")
      if isNew { block = "" }
      block += "\(text)\n"
      guard let index = place(text) else { continue }
      results[index] += block
      block = ""
    }
    return results
  }
}
