// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

/// A workflow that records its hooks.
class RecordedWorkflow<Item>: Workflow<Item> {
  private let write: (String) -> Void

  init(_ write: @escaping (String) -> Void, timeout: Duration? = .seconds(30)) {
    self.write = write
    super.init(timeout: timeout)
    // Tests hold it, and look at what waits for the clock.
    isKeptWhenDone = true
  }

  override func didComplete() { write("didComplete") }
  override func didFork() { write("didFork") }
  override func didReceiveError(_ error: any Error) { write("didReceiveError \(error)") }

  deinit { write("workflow gone") }
}

/// A workflow from interactor to interactor.
final class RideWorkflow: RecordedWorkflow<Scripted.Interactor> {}

/// A root with a child and a leaf, not yet attached, in a test tree.
final class Scene {
  let test: TestTree
  let root = Scripted.RootRouter()
  let child = Scripted.ChildRouter()
  let leaf = Scripted.LeafRouter()
  private var kept: [Workflow<Scripted.Interactor>] = []

  init(recording contents: Transcript.Contents = .workflows) {
    test = TestTree(recording: contents)
    let transcript = test.transcript
    for (router, name) in [(root, "Root"), (child, "Child"), (leaf, "Leaf")] as [(Scripted.Router, String)] {
      router.expectsReattachment = true
      router.interactor.onFail = { transcript.write("\(name) didFail \($0)") }
    }
    test.launch(root)
  }

  /// Writes to the transcript.
  var write: (String) -> Void { test.transcript.write }

  /// Starts a workflow, with the root unless another item is given, and keeps it alive.
  func start(_ workflow: Workflow<Scripted.Interactor>, with item: Scripted.Interactor? = nil) {
    kept.append(workflow)
    test.start(workflow, with: item ?? root.interactor)
    test.settle()
  }

  /// The message if an item has resigned during a step.
  static func resigned(_ path: String) -> String {
    "\(path) resigned while a step of a workflow worked on it. "
      + "A RIB that stays attached, such as the parent, must run a step that ends another."
  }

  /// Runs an operation as bound work of the root, and records its error.
  func run(_ body: nonisolated(nonsending) @escaping () async throws -> Void) {
    root.interactor.task("run", overlap: .cancelPrevious) { [write] in
      do { try await body() } catch { write("thrown \(error)") }
    }
    test.settle()
  }
}
