// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Completes command lines in a real shell, as a user does with the tab key.
@Suite("Completions", .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not installed"))
struct CompletionTests {
  private let probe: Probe

  init() throws {
    probe = try Probe(trees: 2)
    try probe.tell("attach")
    for name in ["user-17", "user-18"] { try probe.tell("open \(name)") }
  }

  /// What bash offers for the last word of a command line.
  private func offers(_ tool: String, _ words: String..., generator: String? = nil) throws -> [String] {
    let words = [tool] + words
    let script = """
      cd "$2"
      eval "$("$1" --generate-completion-script bash)"
      PATH="${1%/*}:$PATH"
      shift 2
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      COMP_LINE="$*"
      COMP_POINT=${#COMP_LINE}
      complete -p "$1" | grep -oE -- '-F [^ ]+' >function
      "$(cut -c 4- function)" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let path = try generator ?? Program.url(tool).path
    let bash = try Program("/bin/bash", ["-c", script, "bash", path, probe.directory] + words)
    let outcome = bash.outcome()
    #expect(outcome.errors == [])
    return outcome.output.filter { !$0.isEmpty }
  }

  @Test("are offered for commands, options, processes, trees and RIBs")
  func live() throws {
    let (tool, directory) = ("ribs-live", probe.directory)
    #expect(try offers(tool, "").contains("watch"))
    #expect(try offers(tool, "du") == ["dump"])
    #expect(try offers(tool, "ps", "--sum") == ["--summary"])
    #expect(try offers(tool, "dump", "--directory", directory, "").contains("LiveProbe"))
    #expect(try offers(tool, "dump", "--directory", directory, "--tree", "") == ["1", "2", "user-17", "user-18"])
    #expect(try offers(tool, "watch", "--directory", directory, "LiveProbe", "--tree", "user-18").isEmpty == false)
    #expect(try offers(tool, "watch", "--directory", directory, "--tree", "1", "--under", "") == ["Leaf", "Root"])
    #expect(try offers(tool, "dump", "--directory", directory, "--format", "m") == ["markdown", "mermaid"])
    #expect(try offers(tool, "serve", "--directory", directory, "--port", "8080", "") == ["LiveProbe"])
    try Data().write(to: URL(filePath: "\(directory)/day.ribs"))
    #expect(try offers(tool, "serve", "--directory", directory, "") == ["LiveProbe", "day.ribs"])
    // Several trees: none is meant.
    #expect(try offers(tool, "watch", "--directory", directory, "--under", "") == [])
    let other = try Probe(in: directory)
    #expect(
      Set(try offers(tool, "dump", "--directory", directory, "")).isSuperset(of: [String(probe.id), String(other.id)]))
    #expect(try offers(tool, "events", "--directory", directory, String(other.id), "--tree", "") == ["1"])
    probe.program.send(SIGSTOP)
    #expect(try offers(tool, "events", "--directory", directory, String(probe.id), "--tree", "") == [])
    probe.program.send(SIGCONT)
  }

  /// Needs the release builds of both tools, which Scripts/ribs uses.
  @Test(
    "of Scripts/ribs are those of both tools",
    .enabled(if: ProcessInfo.processInfo.environment["RIBS_TEST_TOOL"] != nil, "Scripts/test installed runs this"))
  func both() throws {
    let script = PassingOnTests.scripts.appending(path: "ribs").path
    #expect(Set(try offers("ribs", "", generator: script)).isSuperset(of: ["new", "lint", "ps", "watch"]))
    #expect(try offers("ribs", "lint", "--form", generator: script) == ["--format"])
    #expect(
      try offers("ribs", "dump", "--directory", probe.directory, "--tree", "u", generator: script)
        == ["user-17", "user-18"])
    for shell in ["zsh", "fish"] { try expectCompletions(of: script, ["lint", "new"], in: shell) }
  }

  @Test("are generated for zsh and fish, with the commands, and what asks for processes, trees and RIBs")
  func otherShells() throws {
    for shell in ["zsh", "fish"] { try expectCompletions(of: try Program.url("ribs-live").path, [], in: shell) }
  }

  /// Expects the live commands and others in a completion script.
  private func expectCompletions(of tool: String, _ others: [String], in shell: String) throws {
    let outcome = try Program(tool, ["--generate-completion-script", shell]).outcome()
    #expect(outcome.status == 0)
    let text = outcome.output.joined(separator: "\n")
    for command in ["ps", "dump", "watch", "events", "record", "replay", "diff", "serve"] + others {
      #expect(text.contains(shell == "zsh" ? "'\(command):" : "-fa '\(command)'"), "\(shell): \(command)")
    }
    for command in ["dump", "watch", "events", "record", "serve"] {
      #expect(text.contains("---completion \(command) -- positional@0"), "\(shell): \(command)")
    }
  }
}
