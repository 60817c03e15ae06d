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

/// The option for templates other than the built-in ones.
struct TemplateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A folder with templates that replace those of the same name.", valueName: "dir"),
    completion: .directory)
  var templates: String?

  func library() throws -> TemplateLibrary { try TemplateLibrary(own: templates.map { URL(filePath: $0) }) }
}
