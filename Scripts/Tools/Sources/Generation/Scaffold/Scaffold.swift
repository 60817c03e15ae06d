// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Creates and links the RIBs of an outline, all of them or none.
public struct Scaffold {
  public var outline: Outline
  /// The parent of the top entries; nil if they are roots.
  public var parent: RIBName?
  /// How the parents attach the RIBs whose entry does not say it.
  public var route = Link.Route.attach
  /// See `NewRIB.target`.
  public var target: String?
  /// See `NewRIB.usualTarget`.
  public var usualTarget: String?
  /// See `NewRIB.folder`.
  public var folder: String?
  public var hasTests = true
  public var templates: TemplateLibrary

  public init(outline: Outline, templates: TemplateLibrary) {
    self.outline = outline
    self.templates = templates
  }

  /// Creates and links the RIBs. Existing RIBs stay unchanged, except for missing links.
  ///
  /// - Returns: notes for the user about the changes.
  public func apply(to workspace: Workspace) throws -> [String] {
    if let parent { _ = try RIBParts.find(parent.text, in: workspace) }
    var notes: [String] = []
    for entry in outline.entries {
      let parent = entry.parent ?? self.parent
      if entry.isInSlot && parent == nil {
        throw Failure.usage("line \(entry.line): '\(entry.name)' has no parent with a slot for it")
      }
      let route = entry.isInSlot ? .slot : self.route
      if !RIBParts.exists(entry.name.text, in: workspace) {
        var new = NewRIB(name: entry.name, templates: templates)
        new.kind = parent == nil ? .root : entry.hasView ? .view : .viewless
        new.hasPresenter = entry.hasPresenter
        new.summary = entry.remark
        new.parents = parent.map { [$0] } ?? []
        new.route = route
        new.target = target
        new.usualTarget = usualTarget
        new.folder = folder
        new.hasTests = hasTests
        notes += try new.apply(to: workspace)
      } else if let parent, !Remove.parents(of: entry.name, in: workspace).contains(parent.text) {
        notes += try Link(child: entry.name, parent: parent, route: route, templates: templates).apply(to: workspace)
      }
    }
    var said: Set<String> = []
    return notes.filter { said.insert($0).inserted }
  }
}
