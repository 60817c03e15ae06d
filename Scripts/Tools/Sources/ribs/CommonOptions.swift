import ArgumentParser
import Foundation
import Generation

/// The option to print less, of all commands.
struct OutputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only the result and errors.")
  var quiet = false

  /// Prints a line, unless `--quiet` is set.
  func say(_ line: String) {
    if !quiet { print(line) }
  }

  /// Prints a note to standard error, unless `--quiet` is set.
  func note(_ line: String) {
    if !quiet { FileHandle.standardError.write(Data("note: \(line)\n".utf8)) }
  }
}

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
