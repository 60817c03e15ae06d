// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A program with a busy tree and an inspector, for tests that need another process. Ends when it is killed or its
/// input ends.
///
///     TreeProbe <directory of the socket>
import Foundation
import RIBs
import RIBsInspector

final class LeafInteractor: Interactor {
  override var treeSummary: String? { "falling" }
}
final class LeafRouter: Router<LeafInteractor> {}

final class RootInteractor: Interactor {
  weak var router: RootRouter?

  override func didBecomeActive() {
    super.didBecomeActive()
    task("grow", overlap: .ignoreWhileRunning) { [weak self] in
      while !Task.isCancelled {
        self?.router?.change()
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }
}

final class RootRouter: Router<RootInteractor> {
  private var leaves: [LeafRouter] = []

  func change() {
    let leaf = LeafRouter(interactor: LeafInteractor())
    attachChild(leaf)
    leaves.append(leaf)
    if leaves.count > 10 { detachChild(leaves.removeFirst()) }
  }
}

let inspector = try Inspector.start(dumpsOnSignal: true, directory: CommandLine.arguments.last)
let host = await TreeHost(configuration: TreeConfiguration(inspector: inspector)) {
  let root = RootRouter(interactor: RootInteractor())
  root.interactor.router = root
  return root
}
try FileHandle.standardOutput.write(contentsOf: Data("\(inspector.socketPath)\n".utf8))
while readLine() != nil {}
withExtendedLifetime(host) {}
