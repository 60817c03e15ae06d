// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// An empty package that depends on this one by path.
enum SamplePackage {
  /// Writes the package, and optionally a tree.
  ///
  /// - Parameters:
  ///   - dependency: the package dependency. Defaults to this repository.
  ///   - outline: the outline of the tree; nil for none.
  static func write(to folder: TemporaryFolder, dependency: String? = nil, outline: String? = nil) throws {
    let dependency = dependency ?? ".package(name: \"swift-ribs\", path: \"\(Tool.repository.path)\")"
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "App",
        platforms: [.macOS(.v15)],
        dependencies: [\(dependency)],
        targets: [
          .target(name: "App", dependencies: [.product(name: "RIBs", package: "swift-ribs")]),
          .testTarget(name: "AppTests", dependencies: ["App"]),
        ],
        swiftLanguageModes: [.v6]
      )

      """, to: "Package.swift")
    let format = try String(contentsOf: Tool.repository.appending(path: ".swift-format"), encoding: .utf8)
    try folder.write(format, to: ".swift-format")
    guard let outline else { return }
    let made = try Tool.run("scaffold", "-", "--quiet", in: folder.url, input: outline)
    #expect(made.status == 0 && made.output.isEmpty && made.errors.isEmpty, "\(made)")
  }

  /// Runs `swift` in a package, with warnings as errors. All packages are built in one folder, so that this package is
  /// compiled only once for them.
  ///
  /// - Parameter command: `build` or `test`, with its options.
  static func swift(_ command: String, _ options: [String] = [], in folder: TemporaryFolder) throws -> Tool.Outcome {
    let scratch = Tool.products.appending(path: "sample-packages").path
    let common = ["--scratch-path", scratch, "-debug-info-format", "none", "-Xswiftc", "-warnings-as-errors"]
    return try Tool.run(URL(filePath: "/usr/bin/env"), ["swift", command] + common + options, in: folder.url)
  }

  /// An outline of twelve RIBs below a root.
  static let outline = """
    - Root
      - LoggedOut (view, slot)
      - LoggedIn
        - Home (view, slot)
          - Map (view, presenter)
          - Search (view)
        - Ride (presenter, slot)
          - Pickup (view)
          - Payment (view)
            - AddCreditCardWithVerificationByPost (view, slot)
        - Settings (view)
          - Help (viewless, slot)
          - Language (view, slot)
    """
}
