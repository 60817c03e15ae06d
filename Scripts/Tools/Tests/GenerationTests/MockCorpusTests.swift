// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@testable import Generation

/// Protocols with requirements of every kind.
enum MockCorpus {
  /// Parameters, effects and results in every combination.
  static var combinations: String {
    let parameters = [
      "_ one: Int", "for: String", "in list: [Int], where: Int?", "_ value: inout Int", "_ values: Int...",
      "_ body: () -> Void", "_ body: @escaping @Sendable (Int) -> String", "then: ((Int) -> Void)?",
      "_ text: @autoclosure () -> String", "_ text: consuming String", "_ list: borrowing [Int]",
      "_ text: sending String",
      "_ value: some Equatable", "_ value: any Equatable", "_ pair: (Int, name: String)", "_ handle: borrowing Handle",
      "_ handle: consuming Handle", "_ handle: inout Handle", "_ span: Span<Int>", "_ type: Int.Type",
    ]
    let effects = ["", " async", " throws", " async throws(Problem)"]
    let results = ["", " -> Int", " -> (String, [Int])?"]
    var requirements: [String] = []
    for (index, parameter) in parameters.enumerated() {
      for (offset, effect) in effects.enumerated() {
        let result = results[(index + offset) % results.count]
        requirements.append("func f\(index)x\(offset)(\(parameter))\(effect)\(result)")
      }
    }
    return ["", ": Sendable", ": AnyObject"].enumerated().map { number, inherited in
      let all = requirements.enumerated().map {
        $0.offset % 4 == 3 && number == 1 ? "static " + $0.element : $0.element
      }
      return "protocol Combined\(number)\(inherited) {\n  \(all.joined(separator: "\n  "))\n}\n"
    }.joined()
  }

  /// A parameter for each keyword that may be a label.
  static var keywords: String {
    let words = [
      "as", "associatedtype", "await", "any", "async", "break", "case", "catch", "class", "continue", "default",
      "defer",
      "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "get", "guard",
      "if", "import", "in", "init", "internal", "is", "nil", "open", "operator", "private", "protocol", "public",
      "repeat",
      "rethrows", "return", "self", "Self", "Any", "set", "some", "static", "struct", "subscript", "super", "switch",
      "throw", "throws", "true", "try", "typealias", "where", "while", "weak", "lock", "Type", "Protocol",
    ]
    let requirements = words.enumerated().map { "  func k\($0.offset)(\($0.element): Int) -> Int\n" }
    return "protocol Keywords: Sendable {\n\(requirements.joined())}\n"
  }

  static let others = """
    enum Problem: Error { case some }
    struct Handle: ~Copyable { let number: Int }
    protocol Base: AnyObject { func base() }
    protocol Derived where Self: Base { func more() }
    protocol Store { func transaction<E: Error>(_ body: () throws(E) -> Void) throws(E) }
    protocol Runner: Sendable {
      func run<E: Error, T>(_ body: @escaping () throws(E) -> T, at: Int) async throws(E) -> T
      func fail<E: Error>(with error: E) throws(E) -> Int
    }
    protocol Borrowing { func use<T: ~Copyable>(_ value: borrowing T) -> Int }
    protocol Opening { func open() -> Handle }
    prefix operator -
    postfix operator +++
    protocol Signed {
      static prefix func - (value: Self) -> Self
      static postfix func +++ (value: Self) -> Int
      static func + (one: Self, other: Self) -> Self
    }
    protocol Probe { func load(); var loadCallCount: Int { get } }
    protocol Sink { func observe(observeHandler: @escaping () -> Void, observeArguments: Int) -> Int }
    protocol Backed: Sendable { var _value: Int { get }; var value: Int { get set } }
    protocol Door: Sendable {
      var lock: Bool { get set }
      func open(lock: String, _ lockOfMock: Int) async -> Bool
      static func close(staticLock: Int)
      static var shared: Int { get set }
    }
    #if os(Linux)
      import Glibc
      protocol OnLinux { func process() -> pid_t }
    #elseif canImport(NoSuchModule)
      import NoSuchModule
      protocol Nowhere { func thing() -> NoSuchType }
    #else
      protocol Elsewhere { func thing() }
    #endif
    protocol Partly {
      func always(_ number: Int) -> Int
      #if canImport(NoSuchModule)
        func nowhere() -> NoSuchType
      #else
        func here(_ number: Int) -> Int
      #endif
    }

    """

  /// Protocols without a mock, and the reasons.
  static let refused = [
    ("class Shape {}\nprotocol Shaped where Self: Shape { func draw() }\n", "nothing is known here of 'Shape'"),
    ("protocol Holding { var handle: Handle { get } }\n", "'handle' has a type whose values can't be stored"),
    ("protocol Making { func make<T: ~Copyable>() -> T }\n", "'make' has a type whose values can't be stored"),
    (
      "protocol Sized {\n#if os(Linux)\nvar size: Handles { get }\n#endif\n}\nstruct Handles {}\n",
      "'size' has no obvious value, and is inside of '#if'"
    ),
  ]
}

@Suite("Mocks of requirements of every kind")
struct MockCorpusTests {
  private let folder = TemporaryFolder()

  @Test("compile, and a protocol that can't have one is left out with the reason, and no other")
  func corpus() throws {
    let text = MockCorpus.others + MockCorpus.combinations + MockCorpus.keywords
    try folder.write(text + MockCorpus.refused.map(\.0).joined(), to: "App/Protocols.swift")
    let made = try Mocks(paths: ["App"]).text(in: Workspace(root: folder.url))
    #expect(made.notes.count == MockCorpus.refused.count, "\(made.notes)")
    for (note, refused) in zip(made.notes, MockCorpus.refused) { #expect(note.contains(refused.1), "\(note)") }
    let mocks = made.text.matches(of: /class \w+Mock/).count
    #expect(mocks == text.matches(of: /protocol \w+/).count)
    try folder.write(made.text, to: "App/Mocks.swift")
    let compiled = try compile("App/Protocols.swift", "App/Mocks.swift")
    #expect(compiled == "", "\(compiled)")
  }

  /// The errors and warnings of the compiler.
  private func compile(_ files: String...) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-wmo", "-swift-version", "6", "-parse-as-library", "-module-name",
        "App",
      ] + files
    process.currentDirectoryURL = folder.url
    process.standardError = output
    try process.run(forAtMost: 300)
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }
}
