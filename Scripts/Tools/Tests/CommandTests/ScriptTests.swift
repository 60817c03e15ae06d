// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// Runs the script with a fake compiler that records its calls and builds a program that prints its arguments.
@Suite("Scripts/ribs")
struct ScriptTests {
  private let folder = TemporaryFolder()
  private let env = URL(filePath: "/usr/bin/env")

  init() throws {
    try executable(
      "bin/swiftc",
      """
      case "$1" in
        -print-target-info) echo '{ "runtimeResourcePath": "'"$STUB"'/lib" }' ;;
        *) echo "Stub version $(cat "$STUB/version")" ;;
      esac
      """)
    try executable(
      "bin/swift",
      """
      if [ -e "$STUB/broken" ]; then echo "error: it is broken"; exit 1; fi
      echo built >> "$STUB/builds"
      echo "$*" > "$STUB/arguments"
      while [ $# -gt 0 ]; do
        if [ "$1" = --package-path ]; then package="$2"; fi
        if [ "$1" = --scratch-path ]; then scratch="$2"; fi
        if [ "$1" = --product ]; then product="$2"; fi
        shift
      done
      (cd "$package/../.." && pwd && find "Scripts/${package##*/}/Sources" -name '*.swift') > "$STUB/package"
      echo "[1/2] Compiling"
      while [ -e "$STUB/time" ] && [ "$(cat "$STUB/time")" -lt 20 ]; do sleep 0.01; done
      mkdir -p "$scratch/release"
      printf '#!/bin/sh\\necho "$RIBS_TEMPLATES" "$@"\\n' > "$scratch/release/$product"
      chmod +x "$scratch/release/$product"
      """)
    // A fake clock that advances five seconds per reading, used if the file `time` exists.
    try executable(
      "bin/date",
      """
      if ! [ -e "$STUB/time" ]; then exec /bin/date "$@"; fi
      time=$(cat "$STUB/time")
      echo "$time"
      echo "$((time + 5))" > "$STUB/next"
      mv "$STUB/next" "$STUB/time"
      """)
    try folder.write("", to: "lib/host/SwiftParser.swiftmodule/module")
    try folder.write("1", to: "version")
  }

  private func executable(_ path: String, _ text: String) throws {
    try folder.write("#!/usr/bin/env bash\nset -euo pipefail\n" + text + "\n", to: path)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.url.appending(path: path).path)
  }

  /// Copies the files that the script reads, either as a dependency checkout or to another location.
  private func copy(_ path: String, source: String = "let a = 1") throws {
    for script in ["Scripts/ribs", "Scripts/Tools/swift-host"] {
      let text = try String(contentsOf: Tool.repository.appending(path: script), encoding: .utf8)
      try executable(path + "/" + script, text)
    }
    try folder.write(source, to: path + "/Scripts/Tools/Sources/a.swift")
    try folder.write("", to: path + "/Scripts/LiveTools/Sources/d.swift")
    for file in [
      "Scripts/Tools/Package.swift", "Scripts/LiveTools/Package.swift", "Sources/RIBs/b.swift",
      "Sources/RIBsInspector/c.swift", "Sources/RIBsStore/e.swift",
    ] {
      try folder.write("", to: path + "/" + file)
    }
  }

  private func run(_ path: String, _ arguments: String...) throws -> Tool.Outcome { try run(path, arguments) }

  private func run(_ path: String, _ arguments: [String]) throws -> Tool.Outcome {
    let root = folder.url.path
    let environment = [
      "-u", "RIBS_BUILD_PATH", "PATH=\(root)/bin:/usr/bin:/bin", "STUB=\(root)", "XDG_CACHE_HOME=\(root)/cache",
    ]
    return try Tool.run(env, environment + ["\(root)/\(path)/Scripts/ribs"] + arguments, in: folder.url)
  }

  private var builds: Int { folder.contents["builds"]?.split(separator: "\n").count ?? 0 }

  @Test("builds once for all checkouts of the same sources, each with the templates of its own")
  func shared() throws {
    let (one, two) = ("One/.build/checkouts/swift-ribs", "Two/.build/checkouts/swift-ribs")
    for path in [one, two] { try copy(path) }
    let first = try run(one, "tree", "a b")
    #expect(first.status == 0 && first.output == "\(folder.url.path)/\(one)/Templates tree a b\n", "\(first)")
    #expect(first.errors.hasPrefix("Building the ribs tool"), "\(first)")
    for path in [one, two] {
      let again = try run(path, "lint")
      #expect(again.status == 0 && again.errors.isEmpty, "\(again)")
      #expect(again.output == "\(folder.url.path)/\(path)/Templates lint\n")
    }
    #expect(builds == 1)
    #expect(!folder.everything.contains { $0.contains("cache/swift-ribs/build.") })
  }

  @Test("Scripts/build-program prints the path of the program alone, and says on standard error that it builds")
  func announcedBuild() throws {
    try executable(
      "bin/swift",
      """
      case "$*" in
        *--show-bin-path) echo /bin-path ;;
        *) echo "[1/2] Compiling" && echo "warning: unused" >&2 ;;
      esac
      """)
    for script in ["build-program", "debug-options", "usage"] {
      let text = try String(contentsOf: Tool.repository.appending(path: "Scripts/" + script), encoding: .utf8)
      try executable("Scripts/" + script, text)
    }
    let build = try Tool.run(
      env, ["PATH=\(folder.url.path)/bin:/usr/bin:/bin", "\(folder.url.path)/Scripts/build-program", "Tools", "ribs"],
      in: folder.url)
    #expect(build.status == 0 && build.output == "/bin-path/ribs\n", "\(build)")
    #expect(build.errors == "Building ribs. This takes minutes the first time.\n", "\(build)")
  }

  @Test("builds again for other sources, and for another toolchain")
  func changes() throws {
    let path = "One/.build/checkouts/swift-ribs"
    try copy(path)
    _ = try run(path)
    try copy(path, source: "let a = 2")
    _ = try run(path)
    #expect(builds == 2)
    try folder.write("2", to: "version")
    _ = try run(path)
    #expect(builds == 3)
    try copy(path)
    try folder.write("1", to: "version")
    _ = try run(path)
    #expect(builds == 3)
  }

  @Test("builds a copy that is no checkout in its own folder")
  func own() throws {
    try copy("swift-ribs")
    #expect(try run("swift-ribs").status == 0)
    #expect(try run("swift-ribs").errors.isEmpty)
    #expect(builds == 1)
    #expect(folder.everything.allSatisfy { !$0.hasPrefix("cache/") })
  }

  @Test(
    "builds a folder whose name is that of the tool's package in a copy of another name",
    arguments: ["livetools", "LiveTools"])
  func sameName(name: String) throws {
    try copy(name)
    try folder.write("", to: "\(name)/.git/HEAD")
    #expect(try run(name, "ps").output == "\(folder.url.path)/\(name)/Templates ps\n")
    let package = try #require(folder.contents["package"]).split(separator: "\n")
    #expect(package.first?.hasSuffix("/Scripts/LiveTools/.build/copy/swift-ribs") == true, "\(package)")
    #expect(package.dropFirst() == ["Scripts/LiveTools/Sources/d.swift"])
    #expect(!folder.everything.contains { $0.contains("copy/swift-ribs/.git") })
    _ = try run(name, "ps")
    #expect(builds == 1)
    try folder.write("let a = 2", to: "\(name)/Scripts/LiveTools/Sources/b.swift")
    _ = try run(name, "ps")
    #expect(builds == 2)
    #expect(folder.contents["package"]?.contains("Sources/b.swift") == true)
  }

  @Test(
    "builds the commands for running processes apart from the others, in a checkout and elsewhere",
    arguments: ["One/.build/checkouts/swift-ribs", "swift-ribs", "livetools"])
  func live(path: String) throws {
    try copy(path)
    // The other tool would need these.
    try FileManager.default.removeItem(at: folder.url.appending(path: "lib"))
    let first = try run(path, "ps", "--match", "a b")
    #expect(first.status == 0 && first.output == "\(folder.url.path)/\(path)/Templates ps --match a b\n", "\(first)")
    #expect(first.errors.hasPrefix("Building the ribs-live tool"), "\(first)")
    for arguments in [["help", "watch"], ["events"], ["---completion", "dump", "--", "x"]] {
      let passed = try run(path, arguments)
      #expect(passed.output.hasSuffix("/Templates \(arguments.joined(separator: " "))\n") && passed.errors == "")
    }
    #expect(builds == 1)
    #expect(folder.contents["package"]?.contains("Scripts/LiveTools/Sources/d.swift") == true)
    // A change of the inspector concerns only these commands.
    try folder.write("", to: "lib/host/SwiftParser.swiftmodule/module")
    _ = try run(path, "tree")
    #expect(builds == 2)
    try folder.write("let c = 2", to: path + "/Sources/RIBsInspector/c.swift")
    _ = try run(path, "tree")
    #expect(builds == 2)
    _ = try run(path, "ps")
    #expect(builds == 3)
  }

  @Test(
    "builds the web server only for the page, and then uses that program for all commands",
    arguments: ["One/.build/checkouts/swift-ribs", "swift-ribs"])
  func page(path: String) throws {
    try copy(path)
    for arguments in [
      ["ps"], ["serve", "--help"], ["serve", "-h"], ["help", "serve"], ["---completion", "serve", "--", "x"],
    ] {
      #expect(try run(path, arguments).status == 0)
      #expect(builds == 1 && folder.contents["arguments"]?.contains("--traits") == false, "\(arguments)")
    }
    for arguments in [["serve", "taxi"], ["serve"], ["ps"], ["serve"]] {
      let outcome = try run(path, arguments)
      #expect(outcome.output.hasSuffix("/Templates \(arguments.joined(separator: " "))\n"), "\(outcome)")
      #expect(builds == 2 && folder.contents["arguments"]?.contains("--traits Page") == true, "\(arguments)")
    }
    // The other commands are built again without it.
    try folder.write("let c = 2", to: path + "/Sources/RIBsInspector/c.swift")
    for (command, count) in [("ps", 3), ("serve", 4), ("ps", 4)] {
      #expect(try run(path, command).status == 0)
      #expect(builds == count, "\(command)")
    }
  }

  @Test("removes builds from the cache that were not used for long")
  func old() throws {
    let path = "One/.build/checkouts/swift-ribs"
    try copy(path)
    _ = try run(path)
    let used = try #require(folder.everything.first { $0.wholeMatch(of: #/cache/swift-ribs/[0-9a-f]+/#) != nil })
    for name in [used, "cache/swift-ribs/0123", "cache/swift-ribs/build.old"] {
      try folder.write("old", to: "\(name)/file")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -100 * 86_400)],
        ofItemAtPath: folder.url.appending(path: name).path)
    }
    // Use renews a build, and only another build removes old ones.
    _ = try run(path)
    #expect(folder.everything.contains("cache/swift-ribs/0123"))
    try copy(path, source: "let a = 2")
    _ = try run(path)
    let left = folder.everything.filter { $0.wholeMatch(of: #/cache/swift-ribs/[^/]+/#) != nil }
    #expect(left.count == 2 && left.contains(used), "\(left)")
  }

  @Test("shows what went wrong, and leaves nothing behind")
  func broken() throws {
    let path = "One/.build/checkouts/swift-ribs"
    try copy(path)
    try folder.write("", to: "broken")
    let failed = try run(path)
    #expect(failed.status == 70)
    #expect(failed.errors.hasSuffix("error: it is broken\nribs: the tool could not be built\n"), "\(failed)")
    #expect(!folder.everything.contains { $0.hasPrefix("cache/swift-ribs/") })
    try FileManager.default.removeItem(at: folder.url.appending(path: "broken"))
    #expect(try run(path).status == 0)
  }

  @Test("says how far a long build is")
  func progress() throws {
    let path = "One/.build/checkouts/swift-ribs"
    try copy(path)
    try folder.write("0", to: "time")
    let built = try run(path)
    #expect(built.status == 0 && built.errors.contains("\nstill building: 15 s\n"), "\(built)")
  }

  @Test("says that a build takes longer than usual, which has used more processor time than it should")
  func slow() throws {
    let path = "One/.build/checkouts/swift-ribs"
    try copy(path)
    try executable("bin/awk", "cat > /dev/null; echo 90")
    try folder.write("0", to: "time")
    let built = try run(path)
    #expect(built.status == 0 && built.errors.contains("\nstill building: 15 s, longer than usual: "), "\(built)")
  }
}
