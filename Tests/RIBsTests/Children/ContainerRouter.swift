// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

/// A router with a slot and a stack, whose routes are the names of its children.
final class ContainerRouter: Router<ProbeInteractor> {
  var onBuild: (ContainerRouter, ProbeRouter) -> Void = { _, _ in }
  private let transcript: Transcript
  private let covered: ChildContainer.CoveredChildPolicy

  lazy var slot = ChildSlot<String>(of: self) { router, name in router.build(name) }
  lazy var stack = ChildStack<String>(of: self, covered: covered) { router, name in router.build(name) }

  init(in transcript: Transcript, _ covered: ChildContainer.CoveredChildPolicy = .kept) {
    self.transcript = transcript
    self.covered = covered
    super.init(interactor: ProbeInteractor("parent", in: transcript))
  }

  private func build(_ name: String) -> ProbeRouter {
    transcript.write("build \(name)")
    let child = ProbeRouter(name, in: transcript)
    onBuild(self, child)
    return child
  }

  var childNames: [String] { children.map { ($0 as? ProbeRouter)?.name ?? "?" } }
}

extension TestTree {
  func launchContainers(_ covered: ChildContainer.CoveredChildPolicy = .kept) -> ContainerRouter {
    let parent = launch(ContainerRouter(in: transcript, covered))
    expect("parent active true")
    return parent
  }

  /// Ends the tree, in which the child of a container resigns, and then its parent.
  func finish(_ parent: ContainerRouter) {
    finish(expecting: (parent.childNames + ["parent"]).map { "\($0) resigns true" }.joined(separator: "\n"))
  }
}
