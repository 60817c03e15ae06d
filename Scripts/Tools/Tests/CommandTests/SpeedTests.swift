// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// The time that commands take. Measures the tool in RIBS_TEST_TOOL, a release build, and prints the times. The limits
/// are those of an idle machine; a test fails at three times the limit, because others may use the machine. On a slower
/// machine a limit is longer by as much as a loop of the shell is, which is run beside each attempt.
@Suite(
  "The time of a command", .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["RIBS_TEST_TOOL"] != nil, "there is no release build to measure"))
struct SpeedTests {
  private static let small: [[String]] = [
    ["tree"], ["lint"], ["mocks", "Sources/App/RIBs/R1"], ["new", "Another", "--parent", "R7", "--dry-run"],
    ["link", "R9", "--parent", "R50", "--dry-run"], ["unlink", "R3", "--parent", "R1", "--dry-run"],
    ["rename", "R5", "Renamed", "--dry-run"], ["remove", "R80", "--unlink", "--dry-run"],
  ]

  /// Writes a package with a tree of RIBs, of five files each, and as many other files.
  ///
  /// - Parameter lines: the number of lines of each other file.
  private func write(_ count: Int, others: Int = 0, lines: Int = 0, to folder: TemporaryFolder) throws {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App",
        dependencies: [.package(path: "../swift-ribs")],
        targets: [.target(name: "App", dependencies: [.product(name: "RIBs", package: "swift-ribs")])])

      """, to: "Package.swift")
    for number in 0..<count {
      let name = "R\(number)"
      let children = [2 * number + 1, 2 * number + 2].filter { $0 < count }.map { "R\($0)" }
      for (role, text) in texts(of: name, children) {
        try folder.write(text, to: "Sources/App/RIBs/\(name)/\(name)\(role).swift")
      }
    }
    for number in 0..<others {
      var text = "import Foundation\n"
      for index in 0..<lines / 9 {
        text += """

          extension Model\(number) {
            /// What is computed from \(index) and another number.
            func computed\(index)(_ number: Int) -> Int {
              let first = number.isMultiple(of: 2) ? number + \(index) : values.map { $0 * 2 }.reduce(0, +)
              if first > 100 { return first - store.count(where: { $0.isOpen }) }
              return compute(first, with: \\.title, in: [1, 2, 3]) ?? 0
            }
          }

          """
      }
      try folder.write(text, to: "Sources/App/Models/Model\(number).swift")
    }
  }

  private func texts(of name: String, _ children: [String]) -> [(role: String, text: String)] {
    let lower = { (child: String) in child.lowercased() }
    let listeners = children.map { ", \($0)Listener" }.joined()
    let properties = children.map { "  private let \(lower($0))Builder: any \($0)Buildable\n" }
    let parameters = children.map { ", \(lower($0))Builder: any \($0)Buildable" }.joined()
    let assignments = children.map { "    self.\(lower($0))Builder = \(lower($0))Builder\n" }.joined()
    let routes = children.map { child in
      """

        private var \(lower(child)): (any \(child)Routing)?
        func routeTo\(child)() {
          guard \(lower(child)) == nil else { return }
          let child = \(lower(child))Builder.build(withListener: interactor)
          \(lower(child)) = child
          attachChild(child)
        }
        func detach\(child)() {
          guard let child = \(lower(child)) else { return }
          detachChild(child)
          \(lower(child)) = nil
        }

      """
    }
    let arguments = children.map { ", \(lower($0))Builder: \($0)Builder(dependency: component)" }.joined()
    let requirements = children.map { "  func routeTo\($0)()\n  func detach\($0)()\n" }.joined()
    return [
      (
        "Builder",
        """
        import RIBs

        protocol \(name)Dependency: Dependency {}
        protocol \(name)Buildable: Buildable {
          func build(withListener listener: any \(name)Listener) -> any \(name)Routing
        }
        final class \(name)Builder: Builder<any \(name)Dependency>, \(name)Buildable {
          func build(withListener listener: any \(name)Listener) -> any \(name)Routing {
            let component = \(name)Component(dependency: dependency)
            let interactor = \(name)Interactor()
            interactor.listener = listener
            let router = \(name)Router(interactor: interactor\(arguments))
            interactor.router = router
            return router
          }
        }

        """
      ),
      (
        "Interactor",
        """
        import RIBs

        protocol \(name)Routing: Routing {
        \(requirements)}
        protocol \(name)Listener: AnyObject { func \(lower(name))DidEnd() }
        final class \(name)Interactor: Interactor\(listeners) {
          weak var router: (any \(name)Routing)?
          weak var listener: (any \(name)Listener)?
        \(children.map { "  func \(lower($0))DidEnd() { router?.detach\($0)() }\n" }.joined())}

        """
      ),
      (
        "Router",
        """
        import RIBs

        final class \(name)Router: Router<\(name)Interactor>, \(name)Routing {
        \(properties.joined())
          init(interactor: \(name)Interactor\(parameters)) {
        \(assignments)    super.init(interactor: interactor)
          }
        \(routes.joined())}

        """
      ),
      (
        "Component",
        "import RIBs\n\nfinal class \(name)Component: Component<any \(name)Dependency> {}\n"
          + children.map { "extension \(name)Component: \($0)Dependency {}\n" }.joined()
      ),
      ("Values", "import RIBs\n\nstruct \(name)Values { var listener: (any \(name)Listener)? }\n"),
    ]
  }

  /// The processor time of the loop on the machine for which the limits are, in seconds.
  private static let usualLoop = 0.15

  /// Expects that a command takes up to a time: the shortest of three attempts, and the shorter of the elapsed and the
  /// processor time, which is not longer where it waits for nothing but a busy machine.
  private func expect(_ arguments: [String], in folder: TemporaryFolder, within usual: Double) throws {
    var (best, limit) = (Double.infinity, usual)
    for _ in 0..<3 where best > limit {
      let command = """
        TIMEFORMAT='%U'; time for ((i = 0; i < 100000; i++)); do :; done
        TIMEFORMAT='%R %U %S'; time "$@" >/dev/null 2>&1 || [ $? = 1 ]
        """
      let outcome = try Tool.run(
        URL(filePath: "/usr/bin/env"), ["bash", "-c", command, "bash", Tool.url.path] + arguments, in: folder.url)
      try #require(outcome.status == 0, "\(arguments): \(outcome)")
      let times = outcome.errors.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      try #require(times.count == 4, "\(outcome)")
      best = min(best, times[1], times[2] + times[3])
      limit = max(limit, usual * times[0] / Self.usualLoop)
    }
    let factor = (limit / usual).formatted(.number.precision(.fractionLength(1)))
    print("ribs \(arguments[0]): \(best) s of \(usual) s, on a machine that is slower by a factor of \(factor)")
    #expect(best <= limit * 3, "\(arguments)")
  }

  @Test("is up to 0.3 s in a package of 100 RIBs")
  func hundred() throws {
    let folder = TemporaryFolder()
    try write(100, to: folder)
    #expect(try Tool.run("tree", in: folder.url).output.split(separator: "\n").count == 100)
    for arguments in Self.small { try expect(arguments, in: folder, within: 0.3) }
  }

  @Test("is up to 2 s in a package of 1,300 files, and 4 s for the tree of 166,000 lines")
  func large() throws {
    let folder = TemporaryFolder()
    try write(130, others: 650, lines: 245, to: folder)
    let lines = folder.contents.values.reduce(0) { $0 + $1.count { $0 == "\n" } }
    #expect(folder.contents.count == 1301 && lines >= 166_000, "\(folder.contents.count) files, \(lines) lines")
    try expect(["tree"], in: folder, within: 4)
    for arguments in Self.small.dropFirst() + [["mocks"]] { try expect(arguments, in: folder, within: 2) }
  }
}
