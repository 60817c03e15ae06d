// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// The options of all commands that work in a package.
struct PackageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The package. (default: the one that contains the current folder)", valueName: "dir"),
    completion: .directory)
  var packagePath: String?

  @OptionGroup var output: OutputOptions

  /// The folder of the package.
  func root() throws -> URL { try Folder.package(packagePath) }
}

/// The option for templates other than the built-in ones, and the settings of the package.
struct TemplateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder with templates that replace those of the same name. (default: as .ribs.json says)", valueName: "dir"),
    completion: .directory)
  var templates: String?

  /// The templates, and the settings in the package.
  func read(in package: URL) throws -> (library: TemplateLibrary, settings: Settings) {
    let settings = try Settings(of: package)
    let own = templates.map { URL(filePath: $0) } ?? settings.templates.map { URL(filePath: $0, relativeTo: package) }
    return (try TemplateLibrary(own: own), settings)
  }
}
