// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// Runs the script in a copy of this repository. Only the compiler and `Scripts/test` are replaced: the compiler by one
/// that returns the tool of the tests.
@Suite("Scripts/release")
struct ReleaseTests {
  private let folder = TemporaryFolder()
  private let env = URL(filePath: "/usr/bin/env")
  private var repository: URL { folder.url.appending(path: "swift-ribs") }

  init() throws {
    try executable(
      "bin/swift",
      """
      if [ "$1" != build ]; then exec "$SWIFT" "$@"; fi
      while [ $# -gt 0 ]; do
        if [ "$1" = --scratch-path ]; then scratch="$2"; fi
        if [ "$1" = --product ]; then product="$2"; fi
        if [ "$1" = --package-path ]; then package="$2"; fi
        shift
      done
      if [ -e "$STUB/broken" ]; then echo "error: it is broken"; exit 1; fi
      mkdir -p "$scratch/release" "$scratch/checkouts/swift-nio"
      echo "Nice" > "$scratch/checkouts/swift-nio/NOTICE.txt"
      cp "$STUB/Package.resolved" "$package"
      case "$product" in
        ribs) cp "$TOOL" "$scratch/release/ribs" ;;
        ribs-live) printf '#!/bin/sh\\necho live "$@"\\n' > "$scratch/release/ribs-live" ;;
        generate-manual) printf '#!/bin/sh\\necho ".Dd $3" > "$5/$(basename "$1").1"\\n' > "$scratch/release/$product" ;;
      esac
      chmod +x "$scratch/release/$product"
      """)
    try folder.write(
      """
      { "pins": [{ "identity": "swift-nio", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-nio",
        "state": { "revision": "0123", "version": "2.101.2" } }], "version": 3 }
      """, to: "Package.resolved")
    try shell(
      """
      mkdir swift-ribs
      tar -C "$REPOSITORY" --exclude=./.git --exclude='.build*' --exclude=Package.resolved -cf - . | tar -C swift-ribs -xf -
      cd swift-ribs
      printf '#!/bin/sh\\necho "$@" >> "$STUB/checked"\\n' > Scripts/test
      sed -i '/^## [0-9]/,$d' CHANGELOG.md
      sed -i '/^## Unreleased$/,$d' CHANGELOG.md
      printf '## Unreleased\\n\\nTrees fly.\\nThey land.\\n\\n- A change.\\n\\n## %s\\n\\nThe first.\\n' "$OLD" >> CHANGELOG.md
      git init -q -b main
      git config user.name Test
      git config user.email test@example.com
      git add -A
      git commit -qm Begin
      """)
  }

  private func executable(_ path: String, _ text: String) throws {
    try folder.write("#!/usr/bin/env bash\nset -euo pipefail\n" + text + "\n", to: path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.url.appending(path: path).path)
  }

  /// The current version.
  private static let old = {
    let text = try? String(
      contentsOf: Tool.repository.appending(path: "Scripts/Tools/Sources/ribs/Version.swift"), encoding: .utf8)
    return String(text?.split(separator: "\"").dropFirst().first ?? "")
  }()

  @discardableResult
  private func shell(_ commands: String) throws -> String {
    let outcome = try run(["bash", "-ec", commands], in: folder.url)
    try #require(outcome.status == 0, "\(outcome)")
    return outcome.output
  }

  private func run(_ command: [String], in place: URL) throws -> Tool.Outcome {
    let root = folder.url.path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let swift = try Tool.run(env, ["bash", "-c", "type -P swift"], in: folder.url).output
    let environment = [
      "-u", "RIBS_BUILD_PATH", "-u", "RIBS_TEMPLATES", "PATH=\(root)/bin:\(path)", "STUB=\(root)",
      "TOOL=\(Tool.url.path)",
      "OLD=\(Self.old)", "REPOSITORY=\(Tool.repository.path)", "SWIFT=\(swift.trimmingCharacters(in: .newlines))",
    ]
    return try Tool.run(env, environment + command, in: place)
  }

  private func release(_ arguments: String...) throws -> Tool.Outcome {
    try run(["Scripts/release"] + arguments, in: repository)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  @Test("makes a version: checks, edits, the bundle, the list of components, a commit and a tag")
  func version() throws {
    let outcome = try release("99.0.0")
    try #require(outcome.status == 0, "\(outcome)")
    #expect(folder.contents["checked"] == "default thorough\n")
    let date = try shell("date +%F").trimmingCharacters(in: .newlines)
    let section = "\n## 99.0.0 (\(date))\n\nTrees fly.\nThey land.\n\n- A change.\n\n## \(Self.old)\n"
    #expect(try text("CHANGELOG.md").contains(section))
    // Nothing has the old version that should have the new one.
    let places = "README.md Sources Scripts/Tools/Sources"
    #expect(try shell("cd swift-ribs; git grep -lF '\"\(Self.old)\"' -- \(places) || true") == "")
    #expect(
      try shell("cd swift-ribs; git status --porcelain; git log -1 --format=%s; git cat-file tag 99.0.0 | sed 1,5d")
        == "Release 99.0.0 (CHANGELOG)\n99.0.0\n\nTrees fly.\nThey land.\n\nChecked by Scripts/test default thorough.\n"
    )

    // The bundle works where it is unpacked.
    let output = ".build/releases/99.0.0"
    try shell("cd swift-ribs/\(output); unzip -q ribs.artifactbundle.zip -d '\(folder.url.path)/unpacked'")
    let bundle = folder.url.appending(path: "unpacked/ribs.artifactbundle")
    let info = try JSONDecoder().decode(Info.self, from: Data(contentsOf: bundle.appending(path: "info.json")))
    let artifact = try #require(info.artifacts["ribs"])
    #expect(info.schemaVersion == "1.0" && artifact.type == "executable" && artifact.version == "99.0.0")
    let variant = try #require(artifact.variants.first)
    let program = bundle.appending(path: variant.path)
    let app = TemporaryFolder()
    try SamplePackage.write(to: app)
    let made = try run([program.path, "new", "Root", "--root"], in: app.url)
    #expect(made.status == 0 && made.output.contains("created "), "\(made)")
    #expect(try run([program.path, "ps", "a b"], in: app.url).output == "live ps a b\n")
    let beside = program.deletingLastPathComponent().deletingLastPathComponent()
    for page in ["ribs.1", "ribs-live.1"] {
      let manual = try String(contentsOf: beside.appending(path: "share/man/man1/\(page)"), encoding: .utf8)
      #expect(manual == ".Dd \(date)\n")
    }
    let notice = try String(contentsOf: beside.appending(path: "licenses/swift-nio/NOTICE.txt"), encoding: .utf8)
    #expect(notice == "Nice\n")
    #expect(FileManager.default.fileExists(atPath: beside.appending(path: "lib/swift/host/libSwiftSyntax.so").path))
    let checksum = try text("\(output)/checksum").trimmingCharacters(in: .newlines)
    #expect(
      try shell("swift package compute-checksum swift-ribs/\(output)/ribs.artifactbundle.zip") == checksum + "\n")
    #expect(outcome.output.contains("checksum: \"\(checksum)\""), "\(outcome)")

    let bill = try JSONDecoder().decode(
      Bill.self, from: Data(contentsOf: repository.appending(path: "\(output)/ribs.cdx.json")))
    #expect(bill.metadata.component == .init(name: "swift-ribs", version: "99.0.0", purl: nil))
    #expect(
      bill.components.last
        == .init(name: "swift-nio", version: "2.101.2", purl: "pkg:swift/github.com/apple/swift-nio@2.101.2"))
    #expect(bill.components.map(\.name) == ["ribs", "ribs-live", "swift", "swift-nio"])
    #expect(bill.dependencies.first { $0.ref == "swift-ribs" }?.dependsOn == [])
    #expect(bill.dependencies.first { $0.ref == "ribs" }?.dependsOn == ["swift-ribs", "swift", "swift-nio"])

    // The next version needs changes of its own.
    #expect(try release("99.0.1", "--no-checks").errors.contains("no section '## Unreleased'"))
  }

  @Test("shows all of it with --dry-run, and writes nothing")
  func dryRun() throws {
    let outcome = try release("99.0.0", "--dry-run")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    for line in [
      "Trees fly.", "Scripts/test default thorough", "-## Unreleased", "+## 99.0.0 (", "+let toolVersion = \"99.0.0\"",
      "+  static let version = \"99.0.0\"", "+++ b/README.md", "ribs.artifactbundle.zip", "git tag -a 99.0.0",
    ] {
      #expect(outcome.output.contains("\n\(line)"), "\(line): \(outcome.output)")
    }
    #expect(try shell("cd swift-ribs; git status --porcelain --ignored; git tag; git log --format=%s") == "Begin\n")
    #expect(folder.contents["checked"] == nil)
  }

  @Test("says that there were no checks, also in the tag, and leaves nothing behind a build that fails")
  func failure() throws {
    try folder.write("", to: "broken")
    let failed = try release("99.0.0", "--no-checks")
    #expect(failed.status == 70 && failed.errors.contains("error: it is broken"), "\(failed)")
    #expect(failed.errors.hasSuffix("nothing was committed, and no file has changed\n"), "\(failed)")
    #expect(try shell("cd swift-ribs; git status --porcelain; git tag; git log --format=%s") == "Begin\n")
    try FileManager.default.removeItem(at: folder.url.appending(path: "broken"))
    let outcome = try release("99.0.0", "--no-checks")
    #expect(outcome.status == 0 && outcome.errors.contains("== NO CHECKS"), "\(outcome)")
    #expect(try shell("cd swift-ribs; git tag -l --format='%(contents)'").contains("\nNot checked by Scripts/release"))
    #expect(folder.contents["checked"] == nil)
  }

  @Test("refuses what can't become a version, and says what to do")
  func refusals() throws {
    func expect(_ arguments: String..., after commands: String = "", says text: String) throws {
      try shell("cd swift-ribs; \(commands)")
      let outcome = try run(["Scripts/release"] + arguments, in: repository)
      #expect(outcome.status != 0 && outcome.errors.contains(text) && outcome.output.isEmpty, "\(outcome)")
      try shell("cd swift-ribs; git switch -q main; git reset -q --hard; git clean -fdq")
    }
    try expect("99.0", says: "'99.0' is no version; write three numbers")
    try expect("v99.0.0", says: "'v99.0.0' is no version")
    try expect("99.0.0", "100.0.0", says: "one version only")
    try expect("99.0.0", "--no-check", says: "unknown option '--no-check'")
    try expect("99.0.0", after: "git switch -qc topic", says: "this is topic; versions are made on main")
    try expect("99.0.0", after: "git switch -q --detach", says: "this is a detached HEAD")
    try expect("99.0.0", after: "echo a > a", says: "?? a\nScripts/release: these files are not committed")
    try expect("0.0.9", says: "0.0.9 is not higher than \(Self.old)")
    try expect("\(Self.old)", says: "\(Self.old) is not higher than \(Self.old)")
    try expect("99.0.0", after: "git tag 99.0.0", says: "the tag 99.0.0 exists")
    let edit = "sed -i -E '%' CHANGELOG.md; git commit -qam Edit"
    for (script, text) in [
      ("/^(Trees fly|They land)/d", "begins without a summary"),
      ("s/^Trees fly\\.$/New:/;/^They land/d", "begins without a summary"),
      ("s/^Trees fly\\.$/a\\nb\\nc\\nd\\ne/", "the summary in CHANGELOG.md has 6 lines"),
      ("/^## Unreleased/d", "has no section '## Unreleased'"),
    ] {
      try expect("99.1.0", after: edit.replacing("%", with: script), says: text)
      try shell("cd swift-ribs; git reset -q --hard HEAD~")
    }
  }

  @Test("replaces the address of the repository in every file")
  func address() throws {
    let old = try text("Scripts/address").trimmingCharacters(in: .newlines)
    #expect(try release("--address", "https://host/other.git").errors.contains("must end in /swift-ribs.git"))
    #expect(try release("--address").errors.contains("must end in /swift-ribs.git"))
    let new = "https://host.example/a-b/swift-ribs.git"
    let shown = try release("--address", new, "--dry-run")
    #expect(shown.status == 0 && shown.output.contains("+\(new)\n"), "\(shown)")
    #expect(try shell("cd swift-ribs; git status --porcelain") == "")
    let outcome = try release("--address", new)
    #expect(outcome.status == 0 && outcome.output.hasSuffix(" files have the address \(new)\n"), "\(outcome)")
    #expect(try text("Scripts/address") == new + "\n")
    #expect(try text("README.md").contains("url: \"\(new)\""))
    #expect(try shell("cd swift-ribs; git grep -lF '\(old)' || true") == "")
  }

  @Test("prints its help")
  func help() throws {
    let outcome = try release("--help")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Makes a version of this package"), "\(outcome)")
    #expect(try release().status == 64)
  }

  private struct Info: Decodable {
    struct Artifact: Decodable {
      struct Variant: Decodable { let path: String }

      let type: String
      let version: String
      let variants: [Variant]
    }

    let schemaVersion: String
    let artifacts: [String: Artifact]
  }

  private struct Bill: Decodable {
    struct Component: Decodable, Equatable {
      let name: String
      let version: String
      let purl: String?
    }
    struct Metadata: Decodable { let component: Component }
    struct Dependency: Decodable {
      let ref: String
      let dependsOn: [String]
    }

    let metadata: Metadata
    let components: [Component]
    let dependencies: [Dependency]
  }
}
