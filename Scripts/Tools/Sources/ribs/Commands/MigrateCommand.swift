// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation
import SourceModel
import SourceTree

/// `ribs migrate`.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Rewrite RIBs of uber/RIBs-iOS or ModernRIBs for this package.",
    discussion: """
      Rewrites what follows from the old code: imports, Single, subjects, subscriptions, operators that have another name, \
      schedulers, and tasks of interactors and workers that are bound to nothing. Refuses what does not, with each place \
      and what to do there; nothing is written then. What remains, such as views, is up to the compiler and the articles \
      'Migrating from uber/RIBs-iOS' and 'Migrating from ModernRIBs'.

      All files are changed or none. Files that import none of RIBs, RxSwift, RxRelay, RxCocoa, ModernRIBs and Combine are \
      left alone, but refused if they import a module that has no counterpart, such as NeedleFoundation or RxTest. Run it \
      again at any time: what is migrated stays as it is.

      Examples:
        ribs migrate Sources --dry-run
        ribs migrate Sources/Rider Sources/Driver
        ribs migrate Sources --only Sources/Rider/RiderInteractor.swift
        ribs migrate Sources --leave-views   not files of views, such as those with RxCocoa
      """)

  @Argument(help: "The folders or files to migrate.", completion: .file())
  var paths: [String]

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Rewrite only these folders or files of them. The others are read, because they declare what these use.",
      valueName: "path"),
    completion: .file())
  var only: [String] = []

  @Flag(help: "Leave files alone that import a framework for views, such as UIKit, and declare no other part of a RIB.")
  var leaveViews = false

  @OptionGroup var options: EditOptions

  func run() throws {
    var options = options
    let folder = URL(filePath: paths[0], relativeTo: Folder.current).standardizedFileURL
    if options.package.packagePath == nil {
      options.package.packagePath = (PackageModel.root(around: folder) ?? project(around: folder)).path
    }
    let workspace = try options.workspace()
    var migrate = Migrate(folders: try paths.map { try Folder.inside(workspace.root, $0) })
    migrate.only = try only.map { try Folder.inside(workspace.root, $0) }
    migrate.leavesViews = leaveViews
    let summary = try migrate.apply(to: workspace)
    try options.finish(workspace, notes: summary.notes)
    if !options.dryRun { options.say(summary.text) }
  }

  /// The current folder, if it contains the folder and belongs to a project, or else the folder.
  private func project(around folder: URL) -> URL {
    let current = Folder.current
    guard (try? Folder.inside(current, paths[0])) != nil, SourceScan.isInProject(".", in: current) else {
      return folder
    }
    return current
  }
}
