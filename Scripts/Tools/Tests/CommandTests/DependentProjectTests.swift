// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("A project that depends on a release of this package")
struct DependentProjectTests {
  private let env = URL(filePath: "/usr/bin/env")

  /// A repository with a copy of this package as version 1.0.0.
  private func release(in folder: TemporaryFolder) throws -> URL {
    let package = folder.url.appending(path: "swift-ribs")
    let commands = """
      set -e
      mkdir "$1"
      tar -C "$2" --exclude='./.git' --exclude='.build*' -cf - . | tar -C "$1" -xf -
      cd "$1"
      git init -q
      git add -A
      git -c user.name=Test -c user.email=test@example.com commit -qm Release
      git tag 1.0.0
      """
    let made = try Tool.run(
      env, ["bash", "-c", commands, "bash", package.path, Tool.repository.path], in: folder.url)
    try #require(made.status == 0, "\(made)")
    return package
  }

  @Test(
    "runs the tool as a plugin and from its checkouts, even while its own code does not compile",
    .ofInstalledTool)
  func plugin() throws {
    let releases = TemporaryFolder()
    let package = try release(in: releases)
    let folder = TemporaryFolder()
    try SamplePackage.write(to: folder, dependency: ".package(url: \"\(package.path)\", from: \"1.0.0\")")
    try folder.write("this is no Swift\n", to: "Sources/App/Broken.swift")
    try folder.write("nor is this\n", to: "Tests/AppTests/Broken.swift")
    let cache = "XDG_CACHE_HOME=\(releases.url.path)/cache"
    func ribs(_ arguments: String...) throws -> Tool.Outcome {
      let options = ["--disable-dependency-cache", "--allow-writing-to-package-directory"]
      return try Tool.run(env, [cache, "swift", "package"] + options + ["ribs"] + arguments, in: folder.url)
    }
    let root = try ribs("new", "Root", "--root")
    try #require(root.status == 0, "\(root)")
    #expect(root.output.contains("created Sources/App/RIBs/Root/RootBuilder.swift\n"), "\(root)")
    let order = try ribs("new", "Order", "--parent", "Root", "--viewless", "--quiet")
    #expect(order.status == 0 && order.output.isEmpty, "\(order)")

    // The result of running the tool directly.
    let same = TemporaryFolder()
    try SamplePackage.write(to: same, outline: "- Root\n  - Order (viewless)")
    let before = folder.contents
    for (path, text) in same.contents where path != "Package.swift" { #expect(before[path] == text, "\(path)") }
    #expect(before.count { $0.key.contains("RIBs/") } == same.contents.count { $0.key.contains("RIBs/") })

    // The plugin for reading needs no permission, and runs no command that writes.
    func read(_ arguments: String...) throws -> Tool.Outcome {
      try Tool.run(
        env, [cache, "swift", "package", "--disable-dependency-cache", "ribs-read"] + arguments, in: folder.url)
    }
    let tree = try read("tree")
    #expect(tree.status == 0 && tree.output == "Root\n└─ Order\n", "\(tree)")
    let writing = try read("new", "Map", "--parent", "Root")
    #expect(
      writing.status == 1 && writing.errors.contains("--allow-writing-to-package-directory ribs new Map"), "\(writing)")
    #expect(folder.contents == before)

    // The plugin passes on the output and the failure of the tool.
    let refused = try ribs("link", "Order", "--parent", "Root")
    #expect(refused.status == 1 && refused.output.contains("is linked to 'Root' already"), "\(refused)")
    #expect(refused.errors.contains("Scripts/ribs can be run without a plugin"), "\(refused)")
    #expect(folder.contents == before)

    // Runs the script without the plugin, using the tool that the plugin built.
    let script = folder.url.appending(path: ".build/checkouts/swift-ribs/Scripts/ribs")
    let removed = try Tool.run(env, [cache, script.path, "remove", "Order", "--unlink"], in: folder.url)
    #expect(removed.status == 0 && removed.errors.isEmpty, "\(removed)")
    let rest = folder.contents.filter { $0.key.contains("RIBs/") }
    #expect(rest.allSatisfy { !$0.key.contains("Order") && !$0.value.contains("Order") })
  }
}
