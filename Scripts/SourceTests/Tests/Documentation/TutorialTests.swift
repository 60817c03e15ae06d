// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The tutorial")
struct TutorialTests {
  /// A step: an article, and the package in `Scripts/Examples` that a reader has at its end.
  struct Step: Sendable, CustomTestStringConvertible {
    let article: String
    let package: String
    /// The package of the step before.
    var previous: String?

    var testDescription: String { article }
  }

  static let steps = [
    Step(article: "ChatRoom", package: "Chat1Room"),
    Step(article: "ChatRoutes", package: "Chat2Routes", previous: "Chat1Room"),
    Step(article: "ChatDirectory", package: "Chat3Directory", previous: "Chat2Routes"),
    Step(article: "ChatFailure", package: "Chat4Failure", previous: "Chat3Directory"),
    Step(article: "ChatDeploy", package: "Chat5Deploy", previous: "Chat4Failure"),
  ]

  @Test("shows each file that a step changes as it is in the example", arguments: steps)
  func files(step: Step) throws {
    let shown = try shownFiles(of: step.article)
    let files = try files(of: step.package)
    #expect(files.count >= 5)
    for (path, text) in shown { #expect(files[path] == text, "\(step.article): \(path)") }
    let before = try step.previous.map(files(of:)) ?? [:]
    for (path, text) in files where shown[path] == nil { #expect(before[path] == text, "\(step.article): \(path)") }
    #expect(Set(before.keys).isSubset(of: files.keys))
  }

  @Test("names in each target what its files import", arguments: steps)
  func imports(step: Step) throws {
    let files = try files(of: step.package)
    let manifest = try #require(files["Package.swift"])
    for (target, folder) in [("chat", "Sources/"), ("chatTests", "Tests/")] {
      let texts = files.filter { $0.key.hasPrefix(folder) }.values
      #expect(!texts.isEmpty)
      for text in texts { #expect(undeclared(in: text, for: target, by: manifest) == [], "\(step.article): \(target)") }
    }
  }

  /// The samples of these are one package: those that import it with `@testable` are its tests.
  @Test(
    "does so in other articles that begin with a package",
    arguments: [
      ("README.md", "rides"), ("Sources/RIBs/RIBs.docc/GettingStarted.md", "eggs"),
    ])
  func firstPackages(path: String, name: String) throws {
    let blocks = try Sample.text(path).components(separatedBy: "\n```")
    let manifest = try #require(blocks.first { $0.contains("// swift-tools-version") })
    let samples = blocks.filter { $0.hasPrefix("swift\n") && $0.contains("\nimport ") }
    #expect(samples.contains { $0.contains("@testable import \(name)\n") })
    for sample in samples {
      let target = sample.contains("@testable") ? name + "Tests" : name
      #expect(undeclared(in: sample, for: target, by: manifest) == [], "\(path): \(target)")
    }
    #expect(manifest.components(separatedBy: "swiftSettings: insideTree").count == 3, "One for each target")
  }

  /// The modules that a file imports, and neither the toolchain has nor the manifest names in the target.
  private func undeclared(in text: String, for target: String, by manifest: String) -> [String] {
    let targets = manifest.components(separatedBy: "arget(\n")
    let named = targets.dropFirst().first { $0.contains("name: \"\(target)\",") } ?? ""
    return text.components(separatedBy: "\n").compactMap { $0.firstMatch(of: /^(?:@testable )?import (\w+)$/) }
      .map { String($0.1) }
      .filter { !["Foundation", "Testing"].contains($0) && !named.contains("\"\($0)\"") }
  }

  /// The files in an article: the samples after the last path that the text names.
  private func shownFiles(of article: String) throws -> [String: String] {
    var files: [String: String] = [:]
    var path: String?
    var isOpen = false
    for line in try Sample.text("Sources/RIBs/RIBs.docc/\(article).md").components(separatedBy: "\n") {
      if isOpen, line != "```", let path {
        files[path, default: ""] += line + "\n"
      } else if line == "```swift" {
        isOpen = true
        let path = try #require(path, "\(article): a sample has no path")
        if let text = files[path] { files[path] = text + "\n" }
      } else if line == "```" {
        isOpen = false
      } else if let match = line.matches(of: /`((?:(?:Sources|Tests)\/\w+\/\w+|Package)\.swift)`/).last {
        path = String(match.1)
      }
    }
    return files
  }

  /// The files of an example, with the address of this package as readers write it.
  private func files(of package: String) throws -> [String: String] {
    let folder = "Scripts/Examples/\(package)/"
    var files: [String: String] = [:]
    for path in ["Sources/chat", "Tests/chatTests"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: Sample.root.path + "/" + folder + path) {
        files["\(path)/\(name)"] = try Sample.text("\(folder)\(path)/\(name)")
      }
    }
    files["Package.swift"] = try Sample.text(folder + "Package.swift").replacingOccurrences(
      of: #".package(name: "swift-ribs", path: "../../..")"#,
      with: #".package(url: "https://git.example.com/swift-ribs.git", .upToNextMinor(from: "0.1.0"))"#)
    return files
  }
}
